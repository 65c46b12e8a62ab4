import { RESTORE_FINALIZER } from '#operator/api/names';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { DEBUG, INSTALLED, type Mesh, operatedMesh, WANTS_DEBUG } from '#test/support/operator/configured-mesh';
import type { OperatorInstallation } from '#test/support/operator/operator-installation';
import type { OperatorProcess } from '#test/support/operator/operator-process';

let cluster: Cluster;
let operator: OperatorInstallation & OperatorProcess;
let mesh: Mesh;

beforeAll(async () => {
  cluster = await sharedCluster();
  ({ mesh, operator } = await operatedMesh(cluster));
});

afterEach(() => mesh.clear());
afterAll(() => operator.stop());

async function valuesBecome(text: string): Promise<void> {
  await cluster.eventually(async () => expect(await mesh.values()).toBe(text));
}

async function baselineBecomes(text: string): Promise<void> {
  await cluster.eventually(async () => expect((await mesh.baseline())?.data.values).toBe(text));
}

/** Rewrites the values like a client without server-side apply, by a PUT or PATCH. */
async function update(text: string, fieldManager: string): Promise<void> {
  await cluster.patch(await mesh.configMap(), { data: { values: text } }, { fieldManager });
}

describe('the adoption of an installation', () => {
  test('with values merges them into the present ones, and reports the configuration in force', async () => {
    await mesh.install(INSTALLED);
    const config = await mesh.configure('mesh', { values: WANTS_DEBUG });
    await mesh.reaches('mesh', 'Ready=True InForce');
    expect(await mesh.values()).toBe(DEBUG);
    expect((await mesh.baseline())?.data.values).toBe(INSTALLED);
    expect((await mesh.configMap()).metadata.ownerReferences).toBeUndefined();
    expect((await cluster.get(config)).status).toMatchObject({
      observedGeneration: 1,
      configHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      proxyVersion: 'edge-26.8.3',
    });
  });

  test('waits for an installation, and reports that', async () => {
    await mesh.configure('mesh', { values: WANTS_DEBUG });
    await mesh.reaches('mesh', 'Degraded=True ConfigMapNotFound');
    await mesh.install(INSTALLED);
    await mesh.reaches('mesh', 'Ready=True InForce');
    expect(await mesh.values()).toBe(DEBUG);
  });
});

describe('a change of the LinkerdConfig', () => {
  test('takes effect, and null removes a value', async () => {
    const installed = `${INSTALLED}  cores: 2\n`;
    await mesh.install(installed);
    const config = await mesh.configure('mesh', { values: WANTS_DEBUG });
    await valuesBecome(`${DEBUG}  cores: 2\n`);
    await cluster.patch(config, { spec: { values: { proxy: { logLevel: 'error' } } } });
    await valuesBecome(installed.replace('warn', 'error'));
    await cluster.apply(
      { ...config, spec: { values: { proxy: { cores: null } } }, metadata: { name: 'mesh' } },
      { force: true },
    );
    await valuesBecome(INSTALLED.replace('warn', 'error'));
    await cluster.patch(config, { spec: { values: null } });
    await valuesBecome(installed);
    expect(await mesh.events('mesh')).not.toContainEqual(expect.stringMatching(/^Drift/));
  });
});

describe('a write of another client', () => {
  beforeEach(async () => {
    await mesh.install(INSTALLED);
    await mesh.configure('mesh', { values: WANTS_DEBUG });
    await mesh.reaches('mesh', 'Ready=True InForce');
  });

  const upgraded = INSTALLED.replace('edge-26.8.3', 'edge-26.9.1');

  test('by hand is reverted, with an Event that names the client', async () => {
    await update(INSTALLED.replace('2102', '0'), 'kubectl-edit');
    await valuesBecome(DEBUG);
    expect((await mesh.baseline())?.data.values).toBe(INSTALLED);
    await cluster.eventually(async () => {
      expect(await mesh.events('mesh')).toContainEqual(
        expect.stringMatching(/^DriftReverted: .*kubectl-edit.*: proxy.logLevel, proxy.uid\. Pods /),
      );
    });
  });

  test('by an installer becomes the baseline, applied or updated', async () => {
    const installer = 'argocd-controller';
    await mesh.install(upgraded, installer);
    await baselineBecomes(upgraded);
    await valuesBecome(DEBUG.replace('edge-26.8.3', 'edge-26.9.1'));
    await update(INSTALLED, installer);
    await baselineBecomes(INSTALLED);
    await valuesBecome(DEBUG);
    expect(await mesh.events('mesh')).toContainEqual(expect.stringMatching(`^BaselineUpdated: ${installer} `));
  });

  test('outside of the values is kept', async () => {
    await cluster.patch(await mesh.configMap(), { data: { note: 'x' }, metadata: { labels: { a: 'b' } } });
    await update(INSTALLED, 'kubectl-edit');
    await valuesBecome(DEBUG);
    expect(await mesh.configMap()).toMatchObject({ data: { note: 'x' }, metadata: { labels: { a: 'b' } } });
  });
});

describe('deletion', () => {
  test('keeps the configuration in force, and a successor has the original one', async () => {
    await mesh.install(INSTALLED);
    const config = await mesh.configure('mesh', { values: WANTS_DEBUG });
    await mesh.reaches('mesh', 'Ready=True InForce');
    await cluster.delete(config);
    await cluster.eventually(async () => expect(await cluster.find(config)).toBeUndefined());
    expect(await mesh.values()).toBe(DEBUG);
    await mesh.configure('mesh');
    await valuesBecome(INSTALLED);
    expect((await mesh.baseline())?.data.values).toBe(INSTALLED);
  });

  test('with Restore brings back the last values of the installation', async () => {
    await mesh.install(INSTALLED);
    const config = await mesh.configure('mesh', { values: WANTS_DEBUG, deletionPolicy: 'Restore' });
    await valuesBecome(DEBUG);
    await cluster.delete(config);
    await cluster.eventually(async () => expect(await cluster.find(config)).toBeUndefined());
    expect(await mesh.values()).toBe(INSTALLED);
    expect(await mesh.baseline()).toBeUndefined();
  });

  test("waits for the operator's finalizer only with Restore, and keeps finalizers of other controllers", async () => {
    await mesh.install(INSTALLED);
    const config = await mesh.configure('mesh');
    await cluster.patch(config, {
      metadata: { finalizers: ['example.com/mine'] },
      spec: { deletionPolicy: 'Restore' },
    });
    const finalizers = async () => (await cluster.get(config)).metadata.finalizers;
    await cluster.eventually(async () => expect(await finalizers()).toEqual(['example.com/mine', RESTORE_FINALIZER]));
    await cluster.patch(config, { spec: { deletionPolicy: 'Retain' } });
    await cluster.eventually(async () => expect(await finalizers()).toEqual(['example.com/mine']));
    await cluster.patch(config, { metadata: { finalizers: null } });
  });
});

describe('a second LinkerdConfig', () => {
  test('conflicts, and takes over after the deletion of the first', async () => {
    await mesh.install(INSTALLED);
    const first = await mesh.configure('a-first', { values: WANTS_DEBUG });
    await mesh.reaches('a-first', 'Ready=True InForce');
    await mesh.configure('b-second', { values: { proxy: { logLevel: 'error' } } });
    await mesh.reaches('b-second', 'Accepted=False Conflict');
    expect(await mesh.values()).toBe(DEBUG);
    await cluster.delete(first);
    await mesh.reaches('b-second', 'Ready=True InForce');
    expect(await mesh.values()).toBe(INSTALLED.replace('warn', 'error'));
    expect((await mesh.baseline())?.data.values).toBe(INSTALLED);
  });

  test('that conflicts does not delay its own deletion', async () => {
    await mesh.install(INSTALLED);
    await mesh.configure('a-first', { values: WANTS_DEBUG });
    const second = await mesh.configure('b-second', { deletionPolicy: 'Restore' });
    await cluster.patch(second, { metadata: { finalizers: [RESTORE_FINALIZER] } });
    await mesh.reaches('b-second', 'Accepted=False Conflict');
    await cluster.delete(second);
    await cluster.eventually(async () => expect(await cluster.find(second)).toBeUndefined());
    await valuesBecome(DEBUG);
  });
});

test('the operator does not touch the control plane of another operator', async () => {
  const config = await mesh.configure('elsewhere', { controlPlaneNamespace: 'elsewhere' });
  await mesh.reaches('elsewhere', 'Accepted=False UnservedNamespace');
  const accepted = {
    type: 'Accepted',
    status: 'True',
    reason: 'Active',
    message: '',
    lastTransitionTime: '2026-11-01T00:00:00Z',
  };
  await cluster.patch(config, { status: { conditions: [accepted] } }, { subresource: 'status' });
  const { metadata } = await cluster.patch(config, { spec: { maxUnavailableWorkloads: 2 } });
  // The operator reconciles the second LinkerdConfig after this one.
  await mesh.install(INSTALLED);
  await mesh.configure('mesh');
  await mesh.reaches('mesh', 'Ready=True InForce');
  expect((await cluster.get(config)).metadata.resourceVersion).toBe(metadata.resourceVersion);
});
