import { ExplainedObjects } from '../../lib/platform/explained-objects';

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
