import { withoutConsequences } from '../../../lib/kubernetes/findings/consequences';
import type { Finding } from '../../../lib/kubernetes/findings/finding';

/** home/{pki/issuer, linkerd/{chart/{a, b}, certificate}, shop}; linkerd depends on pki, and shop on linkerd. */
const PATHS = [
  'home',
  'home/pki',
  'home/pki/issuer',
  'home/linkerd',
  'home/linkerd/chart',
  'home/linkerd/chart/a',
  'home/linkerd/chart/b',
  'home/linkerd/certificate',
  'home/shop',
  'home/till',
];
const TREE = {
  paths: PATHS,
  parents: [-1, 0, 1, 0, 3, 4, 4, 3, 0, 0],
  dependencies: [
    [3, 1],
    [8, 3],
  ],
  renders: new Set([4]),
} as const;

function finding(path: string, value?: string, rule = 'form'): Finding {
  const problem = { code: 'wrong', what: `${value}`, why: 'It breaks', fix: 'mend it' };
  return {
    severity: 'error',
    path,
    problem: value === undefined ? problem : { ...problem, violates: { rule, value } },
  };
}

const left = (findings: readonly Finding[], tree: Parameters<typeof withoutConsequences>[1] = TREE) =>
  withoutConsequences(findings, tree).map(({ path }) => path);

test.each([
  ['a construct around it', 'home/linkerd'],
  ['the cluster', 'home'],
  ['a dependency of a construct around it', 'home/pki'],
  ['something in such a dependency', 'home/pki/issuer'],
])('a finding follows from that of %s', (_, cause) => {
  expect(left([finding('home/linkerd/certificate', 'A_B'), finding(cause, 'A_B')])).toEqual([cause]);
});

test('dependencies of dependencies count', () => {
  expect(left([finding('home/shop', 'A_B'), finding('home/pki/issuer', 'A_B')])).toEqual(['home/pki/issuer']);
});

test.each([
  ['another value', finding('home/linkerd', 'C_D')],
  ['another rule', finding('home/linkerd', 'A_B', 'secret')],
  ['no rule at all', finding('home/linkerd')],
  ['a construct beside it', finding('home/till', 'A_B')],
  ['one that depends on it', finding('home/shop', 'A_B')],
  ['one that is in no tree', finding('argocd', 'A_B')],
])('a finding stays beside that of %s', (_, other) => {
  const one = finding('home/linkerd/certificate', 'A_B');
  // What depends on it follows from it in turn.
  const isEffect = other.path === 'home/shop';
  expect(left([one, other])).toEqual(isEffect ? [one.path] : [one.path, other.path]);
});

test('three constructs with the same mistake are three findings', () => {
  const paths = ['home/shop', 'home/till', 'home/pki'];
  const alone = { ...TREE, dependencies: [] };
  expect(
    left(
      paths.map((path) => finding(path, 'Bad')),
      alone,
    ),
  ).toEqual(paths);
});

test('of one construct the first stays, and of all objects of one render', () => {
  expect(left([finding('home/shop', 'A'), finding('home/shop', 'A')])).toEqual(['home/shop']);
  expect(left([finding('home/linkerd/chart/a', 'A'), finding('home/linkerd/chart/b', 'A')])).toEqual([
    'home/linkerd/chart/a',
  ]);
});

test('of two that depend on each other one stays', () => {
  const circle = {
    ...TREE,
    dependencies: [
      [8, 9],
      [9, 8],
    ],
  } as const;
  expect(left([finding('home/shop', 'A'), finding('home/till', 'A')], circle)).toEqual(['home/shop']);
});

test.each([
  ['Cluster_Local', 'linkerd-identity.linkerd.svc.Cluster_Local', 1],
  ['My_Web', 'My_Web-l5d-dst-override', 1],
  ['web', 'cobweb', 2],
  ['5', '1.5', 2],
  ['', 'anything', 2],
  ['é', 'metrics.svc.é', 1],
  ['é', 'café', 2],
])('%j in %j: %d', (cause, effect, count) => {
  expect(left([finding('home/linkerd', cause), finding('home/linkerd/certificate', effect)])).toHaveLength(count);
});

test('a long tree of many findings takes no time that grows with their square', () => {
  const paths = ['home', ...Array.from({ length: 2000 }, (_, n) => `home/c${n}`)];
  const tree = {
    paths,
    parents: paths.map((_, n) => (n === 0 ? -1 : 0)),
    dependencies: paths.slice(2).map((_, n) => [n + 2, n + 1] as const),
    renders: new Set<number>(),
  };
  const found = paths.slice(1).map((path, n) => finding(path, `value-${n}`));
  expect(left(found, tree)).toHaveLength(2000);
});

test('a long chain of dependencies, each with the same mistake, takes no time that grows with their cube', () => {
  const paths = ['home', ...Array.from({ length: 1000 }, (_, n) => `home/c${n}`)];
  const tree = {
    paths,
    parents: paths.map((_, n) => (n === 0 ? -1 : 0)),
    dependencies: paths.slice(2).map((_, n) => [n + 2, n + 1] as const),
    renders: new Set<number>(),
  };
  const start = process.cpuUsage();
  expect(
    left(
      paths.slice(1).map((path) => finding(path, 'A_B')),
      tree,
    ),
  ).toEqual(['home/c0']);
  // Seconds, where it took minutes.
  expect(process.cpuUsage(start).user).toBeLessThan(20_000_000);
});

test.each<[string, Violated, Violated, number]>([
  ['a secret where a name should be', ['form', 'https://<credentials>@x'], ['secret', 'credentials'], 1],
  ['a name that is a secret', ['secret', 'private key'], ['form', '<private key>'], 1],
  ['another secret', ['form', 'https://<credentials>@x'], ['secret', 'private key'], 2],
  ['a reference by a name that nothing can have', ['form', 'A_B'], ['reference', 'Secret linkerd/A_B'], 1],
  ['a reference to a namespace that nothing can be', ['form', 'é'], ['reference', 'Secret é/a'], 1],
  ['a reference by a secret', ['secret', 'credentials'], ['reference', 'Secret linkerd/https://<credentials>@x'], 1],
  ['a reference by another name', ['form', 'A_B'], ['reference', 'Secret linkerd/a-b'], 2],
  [
    'two references to the same that is missing',
    ['reference', 'Secret linkerd/a'],
    ['reference', 'Secret linkerd/a'],
    2,
  ],
])('of what is made of %s: %j, %j', (_, [rule, value], [otherRule, other], count) => {
  const found = [finding('home/linkerd', value, rule), finding('home/linkerd/certificate', other, otherRule)];
  expect(left(found)).toHaveLength(count);
});

test('a secret hides none of a construct that depends on it', () => {
  const found = [finding('home/pki', 'credentials', 'secret'), finding('home/linkerd', 'credentials', 'secret')];
  expect(left(found)).toEqual(['home/pki', 'home/linkerd']);
  expect(left([...found.slice(0, 1), finding('home/pki/issuer', 'credentials', 'secret')])).toEqual(['home/pki']);
});

/** A rule, and the value that breaks it. */
type Violated = readonly [rule: string, value: string];
