import { checkMultusAgreement, isAttachedByAnother } from '#lib/constructs/operator/multus-agreement';

const path = 'home/multus';
test('each MultusAttach is asked', () => {
  const attachments = ['one', 'two'].map((name) => ({ path: name, operatorNamespace: 'elsewhere' }));
  expect(checkMultusAgreement({ namespace: 'here', multus: true }, attachments)).toHaveLength(2);
});

test('another operator is one that a MultusAttach expects to attach its pods', () => {
  expect(isAttachedByAnother('here', [])).toBe(false);
  expect(isAttachedByAnother('here', [{ path }, { path, operatorNamespace: 'here' }])).toBe(false);
  expect(isAttachedByAnother('here', [{ path }, { path, operatorNamespace: 'elsewhere' }])).toBe(true);
});
