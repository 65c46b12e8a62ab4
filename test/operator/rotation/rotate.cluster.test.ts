import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { rolloutGap } from '../../support/cluster/rollout';
import { changesOf, createMesh, type RotatedMesh } from './rotated-mesh';

let cluster: Cluster;
let mesh: RotatedMesh;
beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createMesh(cluster);
});
afterAll(() => mesh?.remove());

const IDENTITY = 'linkerd-identity-issuer';
const ONCE = { 'linkerd-identity': 1, 'linkerd-proxy-injector': 1, 'linkerd-destination': 1, tap: 1 };
const ALL = [IDENTITY, 'linkerd-proxy-injector', 'linkerd-sp-validator', 'linkerd-policy-validator', 'tap'];

/** The writes of the CronJob's user since this moment, in order: `verb resource name`. */
function writesSince(moment: string): readonly string[] {
  return cluster
    .auditEvents({ user: mesh.user })
    .filter(({ verb, requestReceivedTimestamp }) => verb !== 'get' && requestReceivedTimestamp > moment)
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.name}`);
}

describe('a rotation', () => {
  let changes: Awaited<ReturnType<typeof changesOf>>;
  let issued: readonly string[];
  let writes: readonly string[];
  let gaps: readonly (string | undefined)[];
  let tap: Record<'before' | 'after', KubeObject>;

  // One rotation for all tests of this block.
  beforeAll(async () => {
    const moment = new Date().toISOString();
    const issuedBefore = mesh.issuer.issued.length;
    const before = await mesh.deployment('tap');
    changes = await changesOf(mesh, { runId: 'first' });
    gaps = await Promise.all(Object.keys(ONCE).map(async (name) => rolloutGap(await mesh.deployment(name))));
    issued = mesh.issuer.issued.slice(issuedBefore);
    writes = writesSince(moment);
    tap = { before, after: await mesh.deployment('tap') };
  });

  test('renews each certificate once, in order, and restarts each Deployment once', () => {
    const { code, logs, renewed, rolled } = changes;
    expect({ code, logs: logs.filter(({ level }) => level !== 'info') }).toEqual({ code: 0, logs: [] });
    expect(new Set(renewed)).toEqual(new Set(ALL));
    expect(rolled).toEqual(ONCE);
    expect(issued).toEqual(ALL);
    expect(writes).toEqual([
      `patch certificates ${IDENTITY}`,
      'patch deployments linkerd-identity',
      'patch certificates linkerd-proxy-injector',
      'patch deployments linkerd-proxy-injector',
      'patch certificates linkerd-sp-validator',
      'patch certificates linkerd-policy-validator',
      'patch deployments linkerd-destination',
      'patch certificates tap',
      'patch deployments tap',
    ]);
  });

  test('ends when all rollouts are complete', () => expect(gaps).toEqual(Object.keys(ONCE).map(() => undefined)));

  test('changes only its own annotations of a Deployment', () => {
    const { before, after } = tap;
    const hash = after.spec.template.metadata.annotations['cdk8s-linkerd/certificates'];
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(hash).not.toBe(before.spec.template.metadata.annotations?.['cdk8s-linkerd/certificates']);
    expect(after.metadata.annotations).toMatchObject({ 'cdk8s-linkerd/rotation': 'first' });
    const withoutAnnotations = ({ spec }: KubeObject) => ({
      ...spec,
      template: { ...spec.template, metadata: { ...spec.template.metadata, annotations: {} } },
    });
    expect(withoutAnnotations(after)).toEqual(withoutAnnotations(before));
    const manager = after.metadata.managedFields?.find((entry) => entry.manager === 'linkerd-reconciler');
    expect(manager).toMatchObject({ operation: 'Update' });
  });

  test('does not request a certificate that cert-manager is already issuing', async () => {
    mesh.issuer.behave(IDENTITY, 'ignore');
    const certificate = ref('cert-manager.io/v1', 'Certificate', IDENTITY, mesh.namespace);
    const condition = {
      type: 'Issuing',
      status: 'True',
      reason: 'Renewing',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const { conditions = [] } = (await cluster.get(certificate)).status;
    await cluster.patch(certificate, { status: { conditions: [...conditions, condition] } }, { subresource: 'status' });

    const moment = new Date().toISOString();
    const running = changesOf(mesh);
    await cluster.eventually(() => {
      const looks = cluster
        .auditEvents({ user: mesh.user, verb: 'get', resource: 'certificates', name: IDENTITY })
        .filter(({ requestReceivedTimestamp }) => requestReceivedTimestamp > moment);
      expect(looks.length).toBeGreaterThan(3);
    });
    mesh.issuer.behave(IDENTITY, 'issue');

    const { code, rolled } = await running;
    expect(code).toBe(0);
    expect(rolled).toEqual(ONCE);
    expect(writesSince(moment)).not.toContain(`patch certificates ${IDENTITY}`);
  });
});

describe('attempts of one run', () => {
  test('continue where the previous attempt failed, while another run starts over', async () => {
    mesh.issuer.behave('linkerd-policy-validator', 'fail');
    const first = await changesOf(mesh, { runId: 'job-1' });
    expect(first.code).toBe(3);
    expect(first.rolled).toEqual({ 'linkerd-identity': 1, 'linkerd-proxy-injector': 1 });
    expect(first.renewed).toEqual([IDENTITY, 'linkerd-proxy-injector', 'linkerd-sp-validator']);

    mesh.issuer.behave('linkerd-policy-validator', 'issue');
    const second = await changesOf(mesh, { runId: 'job-1' });
    expect(second.code).toBe(0);
    expect(second.rolled).toEqual({ 'linkerd-destination': 1, tap: 1 });
    expect(second.renewed).toEqual(['linkerd-policy-validator', 'tap']);

    expect(await changesOf(mesh, { runId: 'job-1' })).toMatchObject({ code: 0, renewed: [], rolled: {} });
    expect(await changesOf(mesh, { runId: 'job-2' })).toMatchObject({
      code: 0,
      renewed: expect.arrayContaining(ALL),
      rolled: ONCE,
    });
  });

  test('renew nothing twice, wherever the previous attempt was killed', async () => {
    const issuedBefore = mesh.issuer.issued.length;
    const issued = () => mesh.issuer.issued.slice(issuedBefore);
    // Killed while it waits for this certificate, after it has renewed others of the Deployment.
    mesh.issuer.behave('linkerd-policy-validator', 'ignore');
    const killed = mesh.start('job-4');
    const last = ref('cert-manager.io/v1', 'Certificate', 'linkerd-policy-validator', mesh.namespace);
    await cluster.eventually(async () =>
      expect(JSON.stringify((await cluster.get(last)).status)).toContain('run job-4'),
    );
    await killed.kill('SIGKILL');
    expect(issued()).toEqual([IDENTITY, 'linkerd-proxy-injector', 'linkerd-sp-validator']);

    mesh.issuer.behave('linkerd-policy-validator', 'issue');
    expect((await mesh.rotate({ runId: 'job-4' })).code).toBe(0);
    expect(issued()).toEqual(ALL);
    // Another run ignores the recorded request of this run.
    expect((await mesh.rotate({ runId: 'job-5' })).code).toBe(0);
    expect(issued()).toEqual([...ALL, ...ALL]);
  });

  test('wait for rollouts that an earlier attempt started', async () => {
    const identity = ref('apps/v1', 'Deployment', 'linkerd-identity', mesh.namespace);
    const stuck = { spec: { progressDeadlineSeconds: 1, template: { spec: { nodeSelector: { no: 'such-node' } } } } };
    await cluster.patch(identity, { ...stuck, metadata: { annotations: { 'cdk8s-linkerd/rotation': 'job-3' } } });
    expect(await changesOf(mesh, { runId: 'job-3' })).toMatchObject({ code: 1, renewed: [], rolled: {} });
    const healed = { spec: { progressDeadlineSeconds: 600, template: { spec: { nodeSelector: null } } } };
    await cluster.patch(identity, healed);
    await cluster.rolledOut(identity);
  });
});

describe('the Job', () => {
  test('matches the CronJob, and its pod is admitted to the namespace of the mesh', async () => {
    const metadata = { name: 'by-hand', namespace: mesh.namespace };
    const job = await cluster.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      ...mesh.cronJob.spec.jobTemplate,
    });
    await cluster.eventually(async () => {
      const [pod] = await cluster.list('v1', 'Pod', { namespace: mesh.namespace, labelSelector: 'job-name=by-hand' });
      // RUN_ID is read from this label.
      expect(pod?.metadata.labels).toMatchObject({ 'batch.kubernetes.io/controller-uid': job.metadata.uid });
    });
  });
});
