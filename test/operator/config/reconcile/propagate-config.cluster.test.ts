import { propagate } from '#operator/src/config/reconcile/reconcile-config';
import type { Attempt } from '#operator/src/config/reconcile/reconcile-context';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { linkerdConfig } from '#test/support/operator/config-fixture';
import { INSTALLED, type Mesh, meshIn, operatedMesh, WANTS_DEBUG } from '#test/support/operator/configured-mesh';
import type { OperatorInstallation } from '#test/support/operator/operator-installation';
import type { OperatorProcess } from '#test/support/operator/operator-process';

describe('a change elsewhere in the cluster', () => {
  let cluster: Cluster;
  let operator: OperatorInstallation & OperatorProcess;
  let mesh: Mesh;

  beforeAll(async () => {
    cluster = await sharedCluster();
    ({ mesh, operator } = await operatedMesh(cluster));
  });

  beforeEach(async () => {
    await mesh.install(INSTALLED);
    await mesh.configure('mesh', { values: WANTS_DEBUG });
    await mesh.reaches('mesh', 'Ready=True InForce');
  });

  afterEach(() => mesh.clear());
  afterAll(() => operator.stop());

  /** Changes an unrelated object, and waits until the operator has reconciled. */
  async function somethingHappens(): Promise<void> {
    const reconciles = () =>
      operator.metric('controller_runtime_reconcile_total{controller="linkerd-config",result="success"}');
    const before = await reconciles();
    await cluster.namespace('elsewhere');
    await cluster.eventually(async () => expect(await reconciles()).toBeGreaterThan(before ?? 0));
  }

  const reads = () => cluster.auditEvents({ user: operator.user, verb: 'get' }).length;

  test('is handled by the operator without requests to the API server', async () => {
    // The operator first reads its latest write once more.
    await cluster.eventually(async () => {
      const before = reads();
      await somethingHappens();
      expect(reads()).toBe(before);
    });
  });

  test('does not affect LinkerdConfigs that are not in force', async () => {
    await mesh.configure('second');
    await mesh.reaches('second', 'Accepted=False Conflict');
    await mesh.configure('elsewhere', { controlPlaneNamespace: 'elsewhere' });
    await mesh.reaches('elsewhere', 'Accepted=False UnservedNamespace');
    const errors = () =>
      operator
        .metric('controller_runtime_reconcile_errors_total{controller="linkerd-config"}')
        .then((count) => count ?? 0);
    const first = await errors();
    await meshIn(cluster, mesh.namespace, 'nothing').configure('failing');
    await mesh.reaches('failing', 'Degraded=True Refused');
    // After ten errors, the backoff alone is seconds.
    await cluster.eventually(async () => expect(await errors()).toBeGreaterThan(first + 9));
    const [failed, read] = [await errors(), reads()];
    for (let time = 0; time < 12; time += 1) await somethingHappens();
    expect(await errors()).toBeLessThan(failed + 6);
    expect(reads()).toBeLessThan(read + 6 * 3);
  });
});

test('the operator reports a refusal until a retry succeeds, which follows soon', async () => {
  const refused = {
    type: 'Degraded',
    status: 'True',
    reason: 'Refused',
    message: 'PATCH /x: 403: no',
    observedGeneration: 1,
    lastTransitionTime: '2026-11-01T00:00:00Z',
  } as const;
  const config = linkerdConfig({ status: { conditions: [refused] } });
  const inForce = { values: {}, valuesHash: 'abc', configHash: 'abc', adoptedHash: 'abc' };
  const report = {
    status: { inProgress: [], workloads: [], unmanagedPods: { count: 0, pods: [] } },
    progressing: { status: true, reason: 'Restarting', message: 'web' },
  };
  const degraded: unknown[] = [];
  const attempt = (actions: readonly unknown[]) =>
    ({
      client: {
        apply: async (_resource: unknown, { status }: { readonly status: typeof config.status }) => {
          degraded.push(status?.conditions?.find(({ type }) => type === 'Degraded')?.reason);
          return { ...config, status };
        },
      },
      propagation: { plan: () => ({ actions, report }), run: async () => ({}) },
      settled: new Map(),
      following: new Set(),
      clock: () => new Date(),
    }) as unknown as Attempt;
  const found = { config, inForce, resourceVersion: undefined };
  expect(await propagate(found, attempt(['restart']))).toEqual({ requeueAfterMs: expect.any(Number) });
  expect(await propagate(found, attempt([]))).toEqual({});
  expect(degraded).toEqual(['Refused', 'AsExpected']);
});
