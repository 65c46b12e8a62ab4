import type { Values } from '#base/values';
import { MULTICLUSTER_REFUSALS } from '#lib/linkerd/charts/linkerd-multicluster/intended-differences';
import { checkLinkName } from '#lib/linkerd/charts/linkerd-multicluster/render-rules';
import { linksTo, problems } from './fixture';

test.each(['gateway', 'localServiceMirror', 'localServiceMirror.image', 'gateway.probe', 'namespaceMetadata.image'])(
  'templates look into %s',
  (path) => {
    const values = path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null) as Values;
    expect(problems(values)).toMatchObject([{ finding: 'injected-value-missing/map-of-chart', path, value: 'null' }]);
  },
);

test('what is left out needs nothing', () => {
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
])('%j breaks what is printed', (values) => expect(problems(values)).toHaveLength(1));

test.each(MULTICLUSTER_REFUSALS)('refused: $reason', ({ values }) => {
  expect(problems(values)).toHaveLength(1);
});

test.each<[object, Values[string]]>([
  [{ finding: 'chart-value-missing/link-name', path: 'values.controllers[0]' }, [{ logLevel: 'debug' }]],
  [{ finding: 'chart-value-missing/link-name', path: 'values.controllers[0]' }, ['west']],
  [{ finding: 'chart-value-missing/link-name', path: 'values.controllers[0]' }, [{ link: { ref: { name: 7 } } }]],
  [
    { finding: 'chart-value-refused/null', path: 'values.controllers[0].gateway.probe' },
    [{ link: { ref: { name: 'west' } }, gateway: { probe: null } }],
  ],
  [{ finding: 'chart-value-refused/controllers' }, { west: {} }],
])('%j', (problem, controllers) => expect(problems({ controllers })).toMatchObject([problem]));

test('a name of a link leaves room for that of its probe', () => {
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
])('accounts %j have %d problems', (remoteMirrorServiceAccountName, count) => {
  expect(problems({ remoteMirrorServiceAccountName })).toHaveLength(count);
  expect(problems({ remoteMirrorServiceAccountName, remoteMirrorServiceAccount: false })).toEqual([]);
});
