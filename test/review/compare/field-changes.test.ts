import fc from 'fast-check';
import { canonicalJson } from '#base/canonical-json';
import { fieldChanges, withMoves } from '#lib/review/compare/field-changes';
import { isNoise } from '#lib/review/compare/noise';
import { fieldText } from '#lib/review/upgrade/plan-text';

test('a comparison names different fields by path, and items of lists by name', () => {
  const before = { spec: { containers: [{ name: 'a', image: 'a:1' }, { name: 'b' }], args: ['x', 'y'] }, kept: [1] };
  const after = { spec: { containers: [{ name: 'a', image: 'a:2', tty: true }], args: ['y', 'z'] }, kept: [1] };
  expect(fieldChanges(before, after)).toEqual([
    { path: 'spec.containers[a].image', before: 'a:1', after: 'a:2' },
    { path: 'spec.containers[a].tty', after: true },
    { path: 'spec.containers[b]', before: { name: 'b' } },
    { path: 'spec.args', before: ['x', 'y'], after: ['y', 'z'] },
  ]);
});

test('a comparison treats lists with duplicate or missing names as a whole', () => {
  const twice = [
    { name: 'a', protocol: 'TCP' },
    { name: 'a', protocol: 'UDP' },
  ];
  expect(fieldChanges({ ports: twice }, { ports: [{ name: 'a', protocol: 'TCP' }] })).toHaveLength(1);
  expect(fieldChanges([{ name: 'a' }, {}], [{ name: 'a' }])).toHaveLength(1);
});

test('a comparison accepts names that are members of every JavaScript object', () => {
  const [before, after] = [JSON.parse('{"__proto__":1,"constructor":2}'), JSON.parse('{"constructor":3}')];
  expect(fieldChanges(before, after)).toEqual([
    { path: '__proto__', before: 1 },
    { path: 'constructor', before: 2, after: 3 },
  ]);
  expect(fieldChanges({}, { toString: 1 } as never)).toEqual([{ path: 'toString', after: 1 }]);
});

test('a comparison reports as moved a container that moves to the other list', () => {
  const proxy = { name: 'proxy', image: 'a:1' };
  const before = { spec: { containers: [{ name: 'app' }, proxy], initContainers: [{ name: 'init' }] } };
  const after = { spec: { containers: [{ name: 'app' }], initContainers: [{ ...proxy, restartPolicy: 'Always' }] } };
  expect(withMoves(fieldChanges(before, after))).toEqual([
    { path: 'spec.initContainers[init]', before: { name: 'init' } },
    { path: 'spec.initContainers[proxy]', movedFrom: 'spec.containers[proxy]' },
    { path: 'spec.initContainers[proxy].restartPolicy', after: 'Always' },
  ]);
  expect(withMoves(fieldChanges(after, before))).toContainEqual({
    path: 'spec.containers[proxy]',
    movedFrom: 'spec.initContainers[proxy]',
  });
});

test('a comparison ignores the order of keys, and lists each annotation of a new map', () => {
  const rules = [{ verbs: ['get'], resources: ['pods'] }];
  expect(fieldChanges({ rules }, { rules: [{ resources: ['pods'], verbs: ['get'] }] })).toEqual([]);
  const annotated = { metadata: { annotations: { a: '1' } } };
  expect(fieldChanges({ metadata: {} }, annotated)).toEqual([{ path: 'metadata.annotations.a', after: '1' }]);
  expect(fieldChanges(annotated, { metadata: {} })).toEqual([{ path: 'metadata.annotations.a', before: '1' }]);
});

test('a comparison finds no difference between equal objects, and finds all others', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [a, b] = [JSON.parse(JSON.stringify({ one })), JSON.parse(JSON.stringify({ one: other }))];
      expect(fieldChanges(a, a)).toEqual([]);
      const isSame = canonicalJson(a) === canonicalJson(b);
      expect(fieldChanges(a, b).length === 0).toBe(isSame);
    }),
  );
});

test.each([
  ['metadata.labels.app.kubernetes.io/version', 'a', 'b'],
  ['spec.template.metadata.annotations.linkerd.io/proxy-version', 'edge-26.8.2', 'edge-26.8.3'],
  ['metadata.annotations.linkerd.io/created-by', 'linkerd/helm edge-26.8.2', 'cdk8s-linkerd edge-26.8.3'],
  ['spec.template.spec.containers[policy].image', 'registry:5000/a/b:1', 'registry:5000/a/b:2'],
  ['spec.template.spec.containers[policy].image', 'a/b:1@sha256:00', 'a/b:2@sha256:11'],
  ['spec.template.spec.containers[policy].args', ['-version=edge-26.8.2'], ['-version=edge-26.8.3']],
  ['metadata.annotations.argocd.argoproj.io/sync-options', undefined, 'SkipDryRunOnMissingResource=true'],
  ['data.values.linkerdVersion', 'stable-2.14.10', 'edge-25.10.7'],
  ['data.values.proxyInit.image.version', 'v2.2.3', 'v2.4.3'],
])('a comparison treats a change of %s from %j to %j as noise', (path, before, after) => {
  expect(isNoise({ path, ...(before === undefined ? {} : { before }), after })).toBe(true);
});

test.each([
  ['spec.template.spec.containers[policy].image', 'a/b:1', 'a/c:1'],
  ['spec.template.spec.containers[policy].image', 'one.example.com/b:1', 'two.example.com/b:1'],
  ['spec.template.spec.containers[policy].image', undefined, 'a/c:edge-26.8.3'],
  ['spec.template.metadata.annotations.linkerd.io/trust-root-sha256', '00', '11'],
  ['metadata.annotations.argocd.argoproj.io/sync-options', 'Prune=false', 'SkipDryRunOnMissingResource=true'],
  ['data.values.proxy.image.name', 'a', 'b'],
  ['spec.args', ['edge-26.8.2', 'x'], ['edge-26.8.3', 'y']],
])('a comparison does not treat a change of %s from %j to %j as noise', (path, before, after) => {
  expect(isNoise({ path, ...(before === undefined ? {} : { before }), after })).toBe(false);
});

test.each([
  [{ path: 'a', after: 1 }, '`a`: new, 1'],
  [{ path: 'a', before: null }, '`a`: gone, was null'],
  [{ path: 'a', before: 'x', after: 'y' }, '`a`: "x" -> "y"'],
  [{ path: 'a', before: ['x', 'y'], after: ['y', 'z'] }, '`a`: gone "x"; new "z"'],
  [{ path: 'a', movedFrom: 'b' }, '`a`: moved, was `b`'],
  [{ path: 'a', before: 'x\n  y: 1\nz', after: 'x\n  y: 2\nz' }, '`a`: gone "y: 1"; new "y: 2"'],
  [{ path: 'a', before: [], after: [...'abcdefghij'] }, /new "a", .*, "h" and 2 more$/],
  [{ path: 'a', before: ['x', 'y'], after: ['y', 'x'] }, '`a`: in another order'],
  [{ path: 'a', after: '🐝'.repeat(200) }, `\`a\`: new, "${'🐝'.repeat(99)}… (202 characters)`],
])('a comparison prints %j as %s', (field, text) => {
  if (typeof text === 'string') expect(fieldText(field)).toBe(text);
  else expect(fieldText(field)).toMatch(text);
});
