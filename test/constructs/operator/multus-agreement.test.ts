import { checkMultusAgreement, isAttachedByAnother } from '../../../lib/constructs/operator/multus-agreement';

const path = 'home/multus';
const whats = (multus: boolean, operatorNamespace?: string) =>
  checkMultusAgreement({ namespace: 'here', multus }, [{ path, operatorNamespace }]).map(({ what }) => what);

test.each([
  [true, undefined],
  [true, 'here'],
  [false, undefined],
  [false, 'elsewhere'],
])('multus %j agrees with an operator in %j', (multus, operatorNamespace) => {
  expect(whats(multus, operatorNamespace)).toEqual([]);
});

test('two operators do not attach the same pods', () => {
  const [problem] = checkMultusAgreement({ namespace: 'here', multus: true }, [
    { path, operatorNamespace: 'elsewhere' },
  ]);
  expect(problem?.what).toBe(
    'home/multus counts on an operator in elsewhere to attach pods, but multus of the one in here is true',
  );
  expect(problem?.fix).toContain('set operatorNamespace of MultusAttach to here');
});

test('an operator that is counted on attaches', () => {
  expect(whats(false, 'here')).toEqual([
    'home/multus counts on the operator in here to attach pods, but its multus is false',
  ]);
});

test('each MultusAttach is asked', () => {
  const attachments = ['one', 'two'].map((name) => ({ path: name, operatorNamespace: 'elsewhere' }));
  expect(checkMultusAgreement({ namespace: 'here', multus: true }, attachments)).toHaveLength(2);
});

test('another operator is one that somebody counts on', () => {
  expect(isAttachedByAnother('here', [])).toBe(false);
  expect(isAttachedByAnother('here', [{ path }, { path, operatorNamespace: 'here' }])).toBe(false);
  expect(isAttachedByAnother('here', [{ path }, { path, operatorNamespace: 'elsewhere' }])).toBe(true);
});
