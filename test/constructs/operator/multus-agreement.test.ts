import { checkMultusAgreement, isAttachedByAnother } from '../../../lib/constructs/operator/multus-agreement';

const path = 'home/multus';
const check = (multus: boolean, operatorNamespace?: string) =>
  checkMultusAgreement({ namespace: 'here', multus }, [{ path, operatorNamespace }]);

test.each([
  [true, undefined],
  [true, 'here'],
  [false, undefined],
  [false, 'elsewhere'],
])('multus %j agrees with an operator in %j', (multus, operatorNamespace) => {
  expect(check(multus, operatorNamespace)).toEqual([]);
});

test('two operators do not attach the same pods', () => {
  expect(check(true, 'elsewhere')).toMatchObject([
    { code: 'multus-attach-mismatch', parameters: { path, other: 'elsewhere', namespace: 'here' } },
  ]);
});

test('an operator that a MultusAttach expects to attach pods does so', () => {
  expect(check(false, 'here')).toMatchObject([
    { code: 'multus-attach-mismatch', parameters: { path, namespace: 'here' } },
  ]);
});

test('each MultusAttach is asked', () => {
  const attachments = ['one', 'two'].map((name) => ({ path: name, operatorNamespace: 'elsewhere' }));
  expect(checkMultusAgreement({ namespace: 'here', multus: true }, attachments)).toHaveLength(2);
});

test('another operator is one that a MultusAttach expects to attach its pods', () => {
  expect(isAttachedByAnother('here', [])).toBe(false);
  expect(isAttachedByAnother('here', [{ path }, { path, operatorNamespace: 'here' }])).toBe(false);
  expect(isAttachedByAnother('here', [{ path }, { path, operatorNamespace: 'elsewhere' }])).toBe(true);
});
