import { MEMBER_CONFIG_MAP, TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import type { AnchorContext } from '#operator/src/anchor/reconcile';
import { VERSION } from '#operator/src/anchor/report-version';
import { type Fault, faultyClient } from '../../support/anchor/played/faults';
import { type PlayedMesh, type PlayedOperator, playedMesh, rotateTo } from '../../support/anchor/played/played-mesh';

const REPORT = { name: MEMBER_CONFIG_MAP, namespace: 'cert-manager' };
const LAGGARDS = { actions: [{}], inProgress: [], verdict: { progressing: { message: '' } } } as never;

let stable: PlayedMesh;

/** A mesh that shares its anchor with another one. */
beforeAll(async () => {
  stable = playedMesh({ cluster: 'home', members: ['away'] });
  await rotateTo(stable, 1);
});

/** Disturbances during a reconciliation. */
interface Beside {
  readonly fault?: Fault;
  readonly isPaused?: boolean;
  /** Report the restarted workload as changed since the decision. */
  readonly isWorkloadOutdated?: boolean;
  /** Called when the cluster has been read, and before each later step. */
  readonly before?: (step: string, mesh: PlayedMesh) => void;
}

/** Reconciles once a mesh that is about to rotate and has workloads to restart. @returns its steps in order */
async function look({ fault, before, isPaused = false, isWorkloadOutdated = false }: Beside) {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two', paused: isPaused });
  const steps: string[] = [];
  const step = (name: string): void => {
    before?.(name, mesh);
    if (name !== 'read') steps.push(name);
  };
  mesh.api.onWrite(({ plural, key }) => step(key.endsWith(`/${REPORT.name}`) ? 'report' : plural));
  const { client } = faultyClient(mesh.api.client, fault);
  const restarts: AnchorContext['restarts'] = {
    plan: () => LAGGARDS,
    run: async (_plan, { signal, holds }) => {
      const isHeld = await holds(signal);
      if (isHeld) step('restarts');
      return { isOutdated: !isHeld || isWorkloadOutdated };
    },
  };
  const readIssuerEnds: AnchorContext['readIssuerEnds'] = () => {
    step('read');
    return Promise.resolve(new Map());
  };
  const operator = mesh.operator({ client, restarts, readIssuerEnds });
  const isSoon = (await operator.look()) === 250;
  const { isPublished = false, refused } = operator.context.memory;
  return { steps, isSoon, isPublished, refused };
}

/** Changes the TrustAnchor or the report before a step. */
const changing =
  (what: 'trustanchors' | 'report', at: string): Beside['before'] =>
  (step, { api }) => {
    if (step !== at) return;
    const annotations = { 'test/touched': 'true' };
    if (what === 'report') api.put('configmaps', { metadata: { ...REPORT, annotations } });
    else api.put('trustanchors', { metadata: { name: TRUST_ANCHOR_NAME, annotations } });
  };

const OUTDATED = { isSoon: true, isPublished: false };

test.each<readonly [string, Beside, object]>([
  ['its end', {}, { steps: ['trustanchors', 'certificates', 'restarts', 'report'], isSoon: false, isPublished: true }],
  ['a TrustAnchor that changed meanwhile', { before: changing('trustanchors', 'read') }, { steps: [], ...OUTDATED }],
  ['a status that conflicts', { fault: { kind: 'conflict', at: 1 } }, { steps: [], ...OUTDATED }],
  ['an action that conflicts', { fault: { kind: 'conflict', at: 2 } }, { steps: ['trustanchors'], ...OUTDATED }],
  [
    'an action that is refused',
    { fault: { kind: 'refused', at: 2 } },
    { steps: ['trustanchors'], ...OUTDATED, refused: 'apply-anchor: not permitted' },
  ],
  [
    'a TrustAnchor that changes during an action',
    { before: changing('trustanchors', 'certificates') },
    { steps: ['trustanchors', 'certificates'], ...OUTDATED },
  ],
  [
    'a TrustAnchor that changes during restarts',
    { before: changing('trustanchors', 'restarts') },
    { steps: ['trustanchors', 'certificates', 'restarts'], ...OUTDATED },
  ],
  [
    'a report that changes after the decision',
    { before: changing('report', 'restarts') },
    { steps: ['trustanchors', 'certificates', 'restarts'], ...OUTDATED },
  ],
  [
    'a workload that changed meanwhile',
    { isWorkloadOutdated: true },
    { steps: ['trustanchors', 'certificates', 'restarts'], ...OUTDATED },
  ],
  ['a pause', { isPaused: true }, { steps: ['trustanchors', 'report'], isSoon: false, isPublished: true }],
])(
  'a reconciliation writes its status, acts, restarts and reports, in this order, up to %s',
  async (_what, beside, wanted) => {
    expect(await look(beside)).toEqual({ refused: undefined, ...wanted });
  },
);

test('the operator writes its report once per process, and again after a change by another writer', async () => {
  const mesh = stable.copy();
  const writes = async (operator: PlayedOperator): Promise<number> => {
    const before = mesh.api.writes.length;
    await operator.look();
    return mesh.api.writes.slice(before).filter(({ key }) => key.endsWith(`/${REPORT.name}`)).length;
  };
  const first = mesh.operator();
  expect([await writes(first), await writes(first), await writes(mesh.operator())]).toEqual([1, 0, 1]);
  const later = `${mesh.now() + 3_600_000}`;
  mesh.api.put('configmaps', { metadata: REPORT, data: { signing: 'other', [VERSION]: later } });
  expect(await writes(first)).toBe(1);
  const written = mesh.api.find('configmaps', `cert-manager/${REPORT.name}`);
  expect(Number(written?.data[VERSION])).toBeGreaterThan(Number(later));
});

test('the operator writes no report from late caches', async () => {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two' });
  const { caches } = mesh.operator().context;
  const late = [{ name: 'pods', plural: 'pods', untilMs: undefined }];
  const operator = mesh.operator({ caches: { ...caches, refresh: () => Promise.resolve(late) } });
  await operator.look();
  expect(mesh.status().memory.rotation).toBeDefined();
  const before = mesh.api.writes.length;
  await operator.look();
  expect(mesh.api.writes.slice(before).map(({ key }) => key)).not.toContain(`cert-manager/${REPORT.name}`);
});

describe('before it decides, the operator', () => {
  type Circumstances = Partial<AnchorContext> | ((mesh: PlayedMesh) => Partial<AnchorContext>);
  const PODS = [{ plural: 'pods' }];
  const missing = (mesh: PlayedMesh) => ({ ...mesh.operator().context.caches, missing: () => PODS });

  /** Reconciles twice a mesh that is about to rotate. @returns the writes and the status */
  async function looks(circumstances: Circumstances, change?: (mesh: PlayedMesh) => void) {
    const mesh = stable.copy();
    mesh.spec({ rotateNow: 'two' });
    change?.(mesh);
    const operator = mesh.operator(typeof circumstances === 'function' ? circumstances(mesh) : circumstances);
    await operator.look();
    const requeueAfterMs = await operator.look();
    const degraded = mesh.status().conditions?.find(({ type }: { readonly type: string }) => type === 'Degraded');
    return { writes: mesh.api.writes.map(({ plural }) => plural), requeueAfterMs, reason: degraded?.reason };
  }

  test.each<[string, Circumstances, ((mesh: PlayedMesh) => void) | undefined, object]>([
    [
      'reports namespaces that it does not serve',
      { linkerdNamespace: 'other' },
      undefined,
      { writes: ['trustanchors'], reason: 'UnservedNamespace' },
    ],
    [
      'reports a clock that is wrong',
      { serversClock: { aheadMs: () => -60_000 } },
      undefined,
      { writes: ['trustanchors'], reason: 'ClockWrong', requeueAfterMs: 15_000 },
    ],
    [
      'waits for kinds that it has not read yet',
      (mesh) => ({ caches: missing(mesh) }),
      undefined,
      { writes: [], reason: 'AsExpected', requeueAfterMs: 1_000 },
    ],
    [
      'reports kinds that it cannot read',
      (mesh) => ({ caches: missing(mesh), memory: { incompleteSince: performance.now() - 16_000 } }),
      undefined,
      { writes: ['trustanchors'], reason: 'Unreadable', requeueAfterMs: 1_000 },
    ],
    [
      'ignores a TrustAnchor that is being deleted',
      {},
      ({ api }) =>
        void api.put('trustanchors', {
          metadata: { name: TRUST_ANCHOR_NAME, deletionTimestamp: '2026-11-23T00:00:00Z' },
        }),
      { writes: [], reason: 'AsExpected', requeueAfterMs: 60_000 },
    ],
    [
      'writes nothing without a TrustAnchor',
      {},
      ({ api }) => api.remove('trustanchors', TRUST_ANCHOR_NAME),
      { writes: [], requeueAfterMs: 60_000 },
    ],
  ])('%s', async (_what, circumstances, change, wanted) => {
    expect(await looks(circumstances, change)).toMatchObject(wanted);
  });
});

test('each reconciliation reports a refused write until the API server accepts it', async () => {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two' });
  const { client } = faultyClient(mesh.api.client, { kind: 'refused', at: 2 });
  const operator = mesh.operator({ client });
  const reasons: string[] = [];
  for (let looks = 0; looks < 3; looks += 1) {
    await operator.look();
    reasons.push(mesh.status().conditions.find(({ type }: { readonly type: string }) => type === 'Degraded').reason);
  }
  expect(reasons).toEqual(['AsExpected', 'WriteRefused', 'AsExpected']);
});

test('during a rotation, the operator rereads late caches, and treats unreadable ones as late', async () => {
  const mesh = stable.copy();
  const { caches } = mesh.operator().context;
  const asked: number[] = [];
  const refresh = (lagMs: number) => {
    asked.push(lagMs);
    return Promise.resolve([]);
  };
  const operator = mesh.operator({ caches: { ...caches, refresh } });
  await operator.look();
  expect(asked).toEqual([]);
  mesh.spec({ rotateNow: 'two' });
  await operator.look();
  await operator.look();
  expect(asked).toEqual([60_000]);
});

test('the operator probes pods again if it refused their certificates', async () => {
  const mesh = stable.copy();
  const asked: unknown[] = [];
  const prober: AnchorContext['prober'] = {
    probe: ({ suspects }) => {
      asked.push(suspects);
      const presented = [{ pod: 'shop/web-0', uid: 'x', workload: 'shop/Deployment/web', chain: [] }] as never;
      return { since: mesh.now(), presented, unreached: [] };
    },
    dueInMs: () => undefined,
  };
  const operator = mesh.operator({ prober });
  await operator.look();
  await operator.look();
  expect(asked).toEqual([[], ['shop/web-0']]);
});
