import type { Values } from '#base/values';
import { MULTICLUSTER_REFUSALS } from '#linkerd/renderers/linkerd-multicluster/intended-differences';
import { checkLinkName } from '#linkerd/renderers/linkerd-multicluster/render-rules';
import { linksTo, problems } from './fixture';

test.each(['gateway', 'localServiceMirror', 'localServiceMirror.image', 'gateway.probe', 'namespaceMetadata.image'])(
  'the check of linkerd-multicluster requires that the value %s is a map',
  (path) => {
    const values = path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null) as Values;
    expect(problems(values)).toMatchObject([{ finding: 'injected-value-missing/map-of-chart', path, value: 'null' }]);
  },
);

test('the check of linkerd-multicluster requires no values of disabled parts', () => {
  expect(problems({ gateway: { enabled: false, probe: null } })).toEqual([]);
  expect(problems({ createNamespaceMetadataJob: false, namespaceMetadata: null })).toEqual([]);
  expect(problems({ controllerDefaults: null })).toEqual([]);
  expect(problems({ ...linksTo('west'), controllerDefaults: null })).toMatchObject([
    { finding: 'injected-value-missing/map-of-chart', path: 'controllerDefaults', value: 'null' },
  ]);
});

test.each<Values>([
  { gateway: { port: null } },
  { gateway: { name: '' } },
  { identityTrustDomain: null },
  { linkerdVersion: '' },
  { namespaceMetadata: { image: { tag: null } } },
  { ...linksTo('west'), controllerDefaults: { image: { version: '' } } },
  { ...linksTo('west'), controllerDefaults: { logLevel: null } },
])('the check of linkerd-multicluster reports %j, which would make invalid objects', (values) =>
  expect(problems(values)).toHaveLength(1),
);

test.each(MULTICLUSTER_REFUSALS)('the check of linkerd-multicluster refuses values on purpose: $reason', ({ values }) =>
  expect(problems(values)).toHaveLength(1),
);

test.each<[object, Values[string]]>([
  [{ finding: 'chart-value-missing/link-name', path: 'values.controllers[0]' }, [{ logLevel: 'debug' }]],
  [{ finding: 'chart-value-missing/link-name', path: 'values.controllers[0]' }, ['west']],
  [{ finding: 'chart-value-missing/link-name', path: 'values.controllers[0]' }, [{ link: { ref: { name: 7 } } }]],
  [
    { finding: 'chart-value-refused/null', path: 'values.controllers[0].gateway.probe' },
    [{ link: { ref: { name: 'west' } }, gateway: { probe: null } }],
  ],
  [{ finding: 'chart-value-refused/controllers' }, { west: {} }],
])('the check of linkerd-multicluster reports an invalid controller: %j', (problem, controllers) =>
  expect(problems({ controllers })).toMatchObject([problem]),
);

test('checkLinkName leaves room for the suffix of the probe’s name', () => {
  expect(checkLinkName('name', 'a'.repeat(57))).toEqual([]);
  expect(checkLinkName('name', 'a'.repeat(58)).map(({ code }) => code)).toEqual(['chart-value-refused']);
  expect(checkLinkName('name', 'a'.repeat(64)).map(({ code }) => code)).toEqual(['name-invalid']);
});

test.each<[Values[string], number]>([
  [['a', 'a'], 1],
  ['a,a', 1],
  [[], 1],
  ['', 1],
  ['a, b', 0],
  [['a', 'b'], 0],
])('the number of problems of remoteMirrorServiceAccountName %j is %d', (remoteMirrorServiceAccountName, count) => {
  expect(problems({ remoteMirrorServiceAccountName })).toHaveLength(count);
  expect(problems({ remoteMirrorServiceAccountName, remoteMirrorServiceAccount: false })).toEqual([]);
});
