import { checkPlace, checkType } from '#lib/checks/object-type';

test.each([
  ['v1', 'ConfigMap'],
  ['apps/v1', 'Deployment'],
  ['k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition'],
  ['example.com/v1alpha1', 'HTTPRoute2'],
])('checkType accepts %s %s', (apiVersion, kind) => expect(checkType({ apiVersion, kind })).toEqual([]));

test.each(['', '.', '..', '../../Evil', 'Two Words', 'a/b', '1st', 'Dash-', 'Ünïcode', 'K'.repeat(64)])(
  'checkType refuses an invalid kind: "%s"',
  (kind) => expect(checkType({ apiVersion: 'v1', kind }).map(({ what }) => what)).toEqual([`kind is "${kind}"`]),
);

test.each(['', '/', '/v1', 'apps/', '../v1', 'apps/v1/x', 'Apps/v1', 'apps/V1', 'a..b/v1', `${'g'.repeat(254)}/v1`])(
  'checkType refuses an invalid apiVersion: "%s"',
  (apiVersion) => {
    expect(checkType({ apiVersion, kind: 'Pod' }).map(({ what }) => what)).toEqual([`apiVersion is "${apiVersion}"`]);
  },
);

test('checkType refuses an object without kind and apiVersion', () => {
  expect(checkType({}).map(({ what }) => what)).toEqual(['apiVersion is missing', 'kind is missing']);
});

test.each([
  [{ name: 'a' }, []],
  [{ name: 'a', namespace: 'shop' }, []],
  [{}, ['object-incomplete']],
  [undefined, ['object-incomplete']],
  [{ name: 'a', namespace: 5 }, ['metadata-refused']],
])('checkPlace finds in the metadata %j the problems %j', (metadata, codes) => {
  expect(checkPlace({ kind: 'Pod', metadata: metadata as never }).map(({ code }) => code)).toEqual(codes);
});
