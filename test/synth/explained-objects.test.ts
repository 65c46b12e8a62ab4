import { secretsInValues } from '../../lib/charts/private-keys';
import { checkAddress } from '../../lib/kubernetes/addresses';
import { describeProblem } from '../../lib/problems/problem';
import { ExplainedObjects } from '../../lib/synth/explained-objects';

const PATHS = ['home', 'home/pki', 'home/linkerd', 'home/linkerd/certificate', 'home/shop'];

function explained(...reported: readonly string[]) {
  const order = { parents: [-1, 0, 0, 2, 0], dependencies: [[2, 1]], first: new Set<number>() } as const;
  return new ExplainedObjects({ problems: reported.map((path) => ({ path, message: '' })), order, paths: PATHS });
}

test.each([
  ['home/linkerd', true],
  ['home/linkerd/certificate', true],
  ['home/linkerd/certificate/deeper', false],
  ['home/link', false],
  ['home/pki', false],
  ['home', false],
])('an object of home/linkerd is explained by a problem of %s: %j', (path, expected) => {
  expect(explained(path).byRule('home/linkerd/certificate')).toBe(expected);
});

test('what a component was given by the one that it depends on', () => {
  expect(explained('home/pki').byDependency('home/linkerd/certificate')).toBe(true);
  expect(explained('home/pki').byDependency('home/shop')).toBe(false);
  expect(explained('home/shop').byDependency('home/linkerd/certificate')).toBe(false);
});

test.each([
  ['a private key', secretsInValues({ tap: { keyPEM: 'MHcCAQEE' } })],
  ['a login in values', secretsInValues({ url: 'https://me:word@example.com' })],
  ['a text with a login', checkAddress('grafana.url', 'https://me:word@grafana')],
])('a secret that a rule has found is not reported of the objects again: %s', (_, [problem]) => {
  if (problem === undefined) throw new Error('the rule finds nothing');
  const order = { parents: [-1, 0, 0, 2, 0], dependencies: [], first: new Set<number>() } as const;
  const problems = [{ path: 'home/linkerd', message: describeProblem(problem) }];
  const objects = new ExplainedObjects({ problems, order, paths: PATHS });
  expect([objects.bySecret('home/linkerd/certificate'), objects.bySecret('home/shop')]).toEqual([true, false]);
});

test('another problem of the construct does not hide a secret in its objects', () => {
  expect(explained('home/linkerd').bySecret('home/linkerd/certificate')).toBe(false);
});
