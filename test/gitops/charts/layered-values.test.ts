import { Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { decidingProp } from '#lib/gitops/charts/deciding-props';
import { checkDecidedValues, layerValues } from '#lib/gitops/charts/layered-values';

const chart = Testing.chart();
const one = new Construct(chart, 'one');
const other = new Construct(chart, 'other');

test('values of constructs override values of the user, which override defaults', () => {
  const decided = [
    { values: { a: 'one' }, from: one },
    { values: { map: { x: 'other' } }, from: other },
  ];
  const values = layerValues({ a: 0, b: 0, c: 0, map: { y: 0 } }, { a: 1, b: 1, map: { z: 1 } }, decided);
  expect(values).toEqual({ a: 'one', b: 1, c: 0, map: { x: 'other', y: 0, z: 1 } });
});

test('values of the user may repeat values of constructs, and may not contradict them', () => {
  const decided = [{ values: { map: { x: 1, y: 2 } }, from: one }];
  expect(checkDecidedValues(decided, { map: { x: 1 }, other: 3 })).toEqual([]);
  expect(checkDecidedValues(decided, { map: { x: 2 } })).toMatchObject([
    { code: 'value-contradicts-prop', parameters: { path: 'map.x', value: '2', construct: 'test/one', decided: '1' } },
  ]);
});

test('two constructs may not decide one value differently', () => {
  const decided = [
    { values: { x: 1, y: 1 }, from: one },
    { values: { x: 2, y: 1 }, from: other },
  ];
  expect(checkDecidedValues(decided, {})).toMatchObject([
    {
      code: 'value-set-twice',
      parameters: { path: 'x', one: 'test/one', value: '1', other: 'test/other', decided: '2' },
    },
  ]);
});

test.each([
  ['clusterDomain', 'domain of the cluster, in platform.addCluster'],
  ['identity.issuer.issuanceLifetime', 'issuanceLifetime of CertManagerPKI'],
  ['identity.issuer.scheme', 'trustAnchor of CertManagerPKI'],
  ['proxyInjector.injectCaFrom', 'pki of LinkerdControlPlane'],
  ['identity', undefined],
  ['text', undefined],
])('the prop that decides the value %s is %s', (path, prop) => expect(decidingProp(path)).toBe(prop));
