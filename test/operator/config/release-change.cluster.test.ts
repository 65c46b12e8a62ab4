import { stringify } from 'yaml';
import { parseValues } from '#base/values-document';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { CONFIG_ANNOTATION } from '#operator/api/names';
import { LINKERD_CONFIG_WEBHOOKS } from '#operator/api/webhooks/linkerd-config';
import { emptyCluster, type OwnCluster } from '../../support/cluster/cluster';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { configDefinition } from '../../support/operator/config-definition';
import { injector, type Mesh, meshIn } from '../../support/operator/configured-mesh';
import { meshedDeployment } from '../../support/operator/meshed-workloads';
import {
  type OperatorInstallation,
  startOperator,
  webhookConfigurations,
} from '../../support/operator/operator-installation';
import type { OperatorProcess } from '../../support/operator/operator-process';

const OLD = 'stable-2.14.10';
const NEW = 'edge-26.8.3';
const CONFIG = ref('config.linkerd.io/v1alpha1', 'LinkerdConfig', 'mesh');
/** The values of the LinkerdConfig: one of both releases, and one of the older release only. */
const WANTED = { proxy: { logLevel: 'debug' }, proxyInit: { resources: { cpu: { limit: '200m' } } } };

let cluster: OwnCluster;
let operator: OperatorInstallation & OperatorProcess;
let mesh: Mesh;
let web: KubeObject;

beforeAll(async () => {
  // A cluster has one CRD of LinkerdConfigs. Other tests share a cluster with the CRD of the newest release.
  cluster = await emptyCluster();
  operator = await startOperator(cluster, { multus: false, webhooks: true, release: OLD });
  mesh = meshIn(cluster, operator.linkerdNamespace);
  await cluster.rolledOut(await cluster.apply(injector(mesh.namespace)));
  await cluster.applyAll(webhookConfigurations(LINKERD_CONFIG_WEBHOOKS, operator));
  web = await cluster.apply(meshedDeployment('web', await cluster.namespace('shop')));
  await cluster.rolledOut(web);
  await install(OLD);
});
afterAll(async () => {
  await operator.stop();
  await cluster.stop();
});

/** Validates the values by a dry run. */
const ask = (values: object) =>
  cluster.create(
    { ...CONFIG, metadata: { name: 'asked' }, spec: { controlPlaneNamespace: mesh.namespace, values } },
    { dryRun: true },
  );

const install = (version: LinkerdVersion) =>
  mesh.install(stringify(defaultsOf(releaseOf(version)).controlPlane), 'argocd-controller');

async function configuredFor(): Promise<string> {
  const annotations = (await cluster.get(web)).spec.template.metadata.annotations ?? {};
  return String(annotations[CONFIG_ANNOTATION]).split('.')[0] ?? '';
}

/** Waits until the configuration is in force and the workload has restarted for it. */
async function inForce(): Promise<object> {
  await mesh.reaches('mesh', 'Ready=True InForce');
  const { status } = await cluster.get(CONFIG);
  expect(await configuredFor()).toBe(status?.configHash);
  expect(status?.workloads).toEqual([expect.objectContaining({ injectedCount: 1 })]);
  return parseValues(await mesh.values());
}

test('the operator configures a 2.14 control plane with the values of that release', async () => {
  // The API server calls a new webhook only after a moment.
  await cluster.eventually(() =>
    expect(ask({ networkValidator: { connectAddr: '' } })).rejects.toThrow('networkValidator.connectAddr'),
  );
  await expect(ask({ proxy: { nativeSidecar: true } })).rejects.toThrow(/unknown field "spec.values.proxy.nativeS/);
  await mesh.configure('mesh', { values: WANTED });
  expect(await inForce()).toMatchObject({ linkerdVersion: OLD, ...WANTED });
  expect((await cluster.get(CONFIG)).status).toMatchObject({ proxyVersion: OLD });
});

test('a value that only components of 2.14 use restarts nothing', async () => {
  const before = await configuredFor();
  const { valuesHash } = (await cluster.get(CONFIG)).status ?? {};
  await cluster.patch(CONFIG, { spec: { values: { controlPlaneTracing: true } } });
  await mesh.reaches('mesh', 'Ready=True InForce');
  expect((await cluster.get(CONFIG)).status?.valuesHash).not.toBe(valuesHash);
  expect(await configuredFor()).toBe(before);
});

test('after an upgrade before its LinkerdConfig, values that the new release lacks have no effect', async () => {
  await install(NEW);
  await cluster.eventually(async () => expect((await cluster.get(CONFIG)).status?.proxyVersion).toBe(NEW));
  expect(await inForce()).toMatchObject({ linkerdVersion: NEW, ...WANTED });
});

test('the new CRD drops values that the new release lacks, and the rest stays in force', async () => {
  await cluster.apply(configDefinition(NEW));
  await cluster.eventually(async () => {
    const { spec } = await cluster.get(CONFIG);
    expect(spec.values).toEqual({ proxy: WANTED.proxy, proxyInit: {} });
  });
  await cluster.patch(CONFIG, { spec: { values: { proxy: { nativeSidecar: false } } } });
  await cluster.eventually(async () => expect(await inForce()).toMatchObject({ proxy: { nativeSidecar: false } }));
  const values = parseValues(await mesh.values());
  expect(values).toMatchObject({ linkerdVersion: NEW, proxy: { logLevel: 'debug' } });
  expect(values.proxyInit).not.toHaveProperty('resources');
  expect(values).not.toHaveProperty('controlPlaneTracing');
});

test('the webhook refuses values on which the injector would fail by the rules of the new release', async () => {
  await expect(ask({ proxy: { metrics: null } })).rejects.toThrow('proxy.metrics');
});
