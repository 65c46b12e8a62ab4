import { isMap, type Value, type Values } from '#base/values';
import defaults from '#imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import ha from '#imports/charts/linkerd-control-plane/edge-26.8.3.ha.json';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { CONFIG_DEFAULTS } from '#operator/api/linkerd-config';
import { issueCertificate } from '#test/support/cluster/certificates';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import type { KubeObject } from '#test/support/cluster/objects';
import { configDefinition } from '#test/support/operator/config-definition';

/** Kubernetes allows 256 KiB of annotations. Client-side kubectl apply copies the object into one. */
const MAX_ANNOTATION = 262_144;

/** Maps that the injector reads for each pod. */
const NEEDED_MAPS = ['networkValidator', 'proxy', 'proxyInit'];

const CRD = configDefinition();
let cluster: Cluster;

beforeAll(async () => {
  cluster = await sharedCluster();
  await cluster.apply(CRD);
});

function config(spec: object): KubeObject {
  return { apiVersion: 'config.linkerd.io/v1alpha1', kind: 'LinkerdConfig', metadata: { name: 'crd-test' }, spec };
}

/** Returns a spec as the API server would store it. */
async function accepted(spec: object): Promise<Values> {
  return (await cluster.create(config(spec), { dryRun: true })).spec as Values;
}

test('the CRD of LinkerdConfigs fits the size limit of the last-applied annotation', () => {
  expect(JSON.stringify(CRD).length).toBeLessThan(MAX_ANNOTATION / 2);
});

test('a second apply of the CRD of LinkerdConfigs changes nothing', async () => {
  const [first, second] = [await cluster.apply(CRD), await cluster.apply(CRD)];
  expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
});

test('kubectl get shows the important columns of LinkerdConfigs', () => {
  const [version] = CRD.spec.versions;
  expect(version?.additionalPrinterColumns.map(({ name }) => name)).toEqual([
    'Control Plane Namespace',
    'ConfigMap',
    'Ready',
    'Reason',
    'Age',
  ]);
});

test('an empty spec of a LinkerdConfig gets the defaults', async () => {
  expect(await accepted({})).toEqual(CONFIG_DEFAULTS);
});

test.each<[string, object]>([
  ["the chart's own values", defaults],
  ["the chart's values for high availability", ha],
  ['null for values with a default', nulls(defaults, ['iptablesMode', 'logHTTPHeaders'])],
  [
    'null for maps with a default',
    Object.fromEntries(Object.keys(without(defaults, NEEDED_MAPS)).map((key) => [key, null])),
  ],
  ['null within maps that the injector needs', { proxy: { tracing: null }, proxyInit: { xtMountPath: null } }],
  ['an empty logHTTPHeaders', { proxy: { logHTTPHeaders: '' } }],
  ['integers and strings for quantities', { proxy: { resources: { cpu: { limit: 2, request: '100m' } } } }],
])('the API server accepts %s without a change', async (_name, values) => {
  expect((await accepted({ values })).values).toEqual(values);
});

/** The values with null in place of each, without the needed keys. */
function nulls(values: object, needed: readonly string[]): Values {
  return Object.fromEntries(
    Object.entries(without(values, needed)).map(([key, value]): [string, Value] => [
      key,
      isMap(value) ? nulls(value, needed) : null,
    ]),
  );
}

function without(values: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}

const { cert, key } = issueCertificate({ commonName: 'root', ca: true });

test.each<[string, object, RegExp]>([
  ['a typo', { values: { proxy: { loglevel: 'x' } } }, /unknown field "spec.values.proxy.loglevel"/],
  ['an unknown field', { valeus: {} }, /unknown field "spec.valeus"/],
  ['a wrong type', { values: { proxy: { uid: 'root' } } }, /proxy.uid .*type integer/],
  ['a value outside an enum', { values: { webhookFailurePolicy: 'Maybe' } }, /must be one of "Ignore", "Fail"/],
  ['an invalid iptablesMode', { values: { proxyInit: { iptablesMode: 'plain' } } }, /values: "nft", "legacy"/],
  ['an invalid logHTTPHeaders', { values: { proxy: { logHTTPHeaders: 'all' } } }, /values: "", "off", "insecure"/],
  ['a port out of range', { values: { proxy: { ports: { admin: 0 } } } }, /greater than or equal to 1/],
  ['a duration in days', { values: { identity: { issuer: { issuanceLifetime: '1d' } } } }, /issuanceLifetime/],
  ['an unnamed item', { values: { proxy: { additionalEnv: [{ value: 'x' }] } } }, /additionalEnv\[0\].name: Required/],
  ['a private key', { values: { proxyInjector: { keyPEM: key } } }, /must not hold a private key/],
  ['a CA bundle', { values: { proxyInjector: { caBundle: cert } } }, /written by cert-manager/],
  ['trust anchors that are not PEM', { values: { identityTrustAnchorsPEM: 'x' } }, /must hold PEM certificates/],
  ['a private key among trust anchors', { values: { identityTrustAnchorsPEM: cert + key } }, /holds a private key/],
  ['more workloads at a time than a status can list', { maxUnavailableWorkloads: 1_001 }, /maxUnavailableWorkloads/],
  ['no workload at a time', { maxUnavailableWorkloads: 0 }, /maxUnavailableWorkloads/],
  ['a progress deadline of zero', { progressDeadlineSeconds: 0 }, /progressDeadlineSeconds/],
  ['an unknown policy', { deletionPolicy: 'Delete' }, /deletionPolicy.*"Retain", "Restore"/],
  ['an empty namespace', { controlPlaneNamespace: '' }, /controlPlaneNamespace/],
  ['an invalid namespace', { controlPlaneNamespace: 'a.b' }, /controlPlaneNamespace/],
  ['an invalid name of a ConfigMap', { configMapName: 'A' }, /configMapName/],
  ['a name of a ConfigMap too long for its baseline', { configMapName: 'a'.repeat(245) }, /configMapName/],
])('the API server refuses %s', async (_name, spec, message) => {
  await expect(accepted(spec)).rejects.toThrow(message);
});

test.each<[string, object, object]>([
  ...NEEDED_MAPS.map((key): [string, object, object] => [key, { [key]: null }, {}]),
  ...['image', 'livenessProbe', 'logHTTPHeaders', 'ports', 'readinessProbe'].map((key): [string, object, object] => [
    `proxy.${key}`,
    { proxy: { [key]: null, logLevel: null } },
    { proxy: { logLevel: null } },
  ]),
  ['proxyInit.iptablesMode', { proxyInit: { iptablesMode: null } }, { proxyInit: {} }],
])('null does not remove %s, which the injector needs for each pod', async (_path, values, kept) => {
  expect((await accepted({ values })).values).toEqual(kept);
});

test('users cannot change the target of a LinkerdConfig', async () => {
  const created = await cluster.create(config({}));
  try {
    await expect(cluster.patch(created, { spec: { controlPlaneNamespace: 'x' } })).rejects.toThrow(/cannot be changed/);
    await expect(cluster.patch(created, { spec: { configMapName: 'x' } })).rejects.toThrow(/cannot be changed/);
    await cluster.patch(created, { spec: { maxUnavailableWorkloads: 2 } });
  } finally {
    await cluster.delete(created);
  }
});

test('users cannot write the status with the spec', async () => {
  const created = await cluster.create({ ...config({}), status: { configHash: 'x' } });
  try {
    expect(created.status).toBeUndefined();
    const condition = {
      type: 'Ready',
      status: 'True',
      reason: 'InForce',
      message: '',
      lastTransitionTime: '2026-11-01T00:00:00Z',
    };
    await cluster.patch(created, { status: { configHash: 'y', conditions: [condition] } }, { subresource: 'status' });
    expect((await cluster.get(created)).status).toMatchObject({ configHash: 'y', conditions: [condition] });
  } finally {
    await cluster.delete(created);
  }
});

describe.each<LinkerdVersion>(['edge-26.5.1', 'edge-25.10.7', 'stable-2.14.10'])(
  'the CRD of LinkerdConfigs for %s',
  (version) => {
    const { openAPIV3Schema } = configDefinition(version).spec.versions[0]?.schema ?? {};
    const values = openAPIV3Schema?.properties?.spec?.properties?.values;

    test('is valid for the API server', async () => {
      const { spec } = await cluster.apply(configDefinition(version), { dryRun: true });
      expect(spec.versions).toHaveLength(1);
    });

    test('has the values of the release, and protects those that its injector needs from null', () => {
      expect(values?.description).toContain(`(${version})`);
      expect(Object.keys(values?.properties ?? {}).sort()).toEqual(
        expect.arrayContaining(Object.keys(defaultsOf(releaseOf(version)).controlPlane)),
      );
      const { proxy, proxyInit } = values?.properties ?? {};
      expect([proxy, proxyInit, proxy?.properties?.ports].map((schema) => schema?.nullable)).toEqual(
        Array.from({ length: 3 }),
      );
      expect(proxyInit?.properties?.iptablesMode?.enum).toEqual(['nft', 'legacy']);
    });
  },
);
