import { checkDnsLabel } from '../../lib/kubernetes/names';
import { describeProblem } from '../../lib/problems/problem';
import { withoutRepetitions } from '../../lib/problems/repetitions';

const refusal = (path: string, field: string, name = 'My Shop') => {
  const [problem] = checkDnsLabel(field, name);
  return { path, message: problem === undefined ? '' : describeProblem(problem) };
};
const paths = (problems: Parameters<typeof withoutRepetitions>[0]) =>
  withoutRepetitions(problems).map(({ path }) => path);

test('of one refused name only the first place is kept', () => {
  expect(
    paths([refusal('home/shop', 'namespace'), refusal('home/shop/x', 'metadata.namespace of ConfigMap x')]),
  ).toEqual(['home/shop']);
});

test.each([
  ['in another cluster', refusal('stable/shop', 'namespace')],
  ['of another text', refusal('home/till', 'namespace', 'My Till')],
  ['for another reason', refusal('home/till', 'namespace', 'shop'.repeat(20))],
])('a name %s is another problem', (_, other) => {
  expect(paths([refusal('home/shop', 'namespace'), other])).toHaveLength(2);
});

test("what a cluster has refused is not reported of Argo CD's objects", () => {
  expect(paths([refusal('home/shop', 'namespace'), refusal('argocd', 'destination')])).toEqual(['home/shop']);
});

test('what is no refused name is kept', () => {
  const problem = { path: 'home', message: 'It is wrong. It would break. Fix: do better.' };
  expect(withoutRepetitions([problem, problem])).toEqual([problem, problem]);
});
