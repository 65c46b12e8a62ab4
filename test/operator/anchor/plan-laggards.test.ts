import type { RestartWave } from '#anchor/plan';
import { MINUTE } from '#base/time-units';
import { type LaggardTarget, type LaggardView, planLaggards } from '#operator/src/anchor/laggards/plan-laggards';
import type { MeshedPod } from '#operator/src/anchor/objects/meshed-pod';
import type { Workload } from '#operator/src/propagation/kinds/workload';
import { workloadId } from '#operator/src/propagation/kinds/workload';
import { argoRollout, deployment } from '../../support/operator/propagation-objects';

const BEGAN = Date.parse('2026-01-01T00:00:00Z');
const WAVE: RestartWave = { reason: 'adopt', generation: 2, key: 'abcdef0123456789', since: BEGAN };
const RETRY = 50 * MINUTE;

const at = (minute: number) => new Date(BEGAN + minute * MINUTE);

/** A pod that lacks the anchor, created at this minute. */
const behind = (minute: number): MeshedPod => ({
  metadata: { name: `pod-${minute}`, namespace: 'shop', creationTimestamp: at(minute).toISOString() },
  spec: { containers: [{ name: 'linkerd-proxy' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
});

/** Workloads whose pods lack the anchor after each restart, and an operator that restarts them. */
function mesh(...workloads: Workload[]) {
  const there = new Map(workloads.map((one) => [workloadId(one), one]));
  const pods = new Map([...there.keys()].map((id) => [id, [behind(-100)]]));
  return {
    pods,
    /** Reconciles once. @returns the restarted workloads */
    look: (minute: number, change: Partial<LaggardTarget> = {}): readonly string[] => {
      const view: LaggardView = {
        workloads: [...there.values()],
        pods,
        budgets: [],
        rejections: new Map(),
        isIncomplete: false,
      };
      const { actions } = planLaggards(
        view,
        {
          workloads: [...there.keys()],
          wave: WAVE,
          retryMs: RETRY,
          knows: () => false,
          maxUnavailableWorkloads: 9,
          progressDeadlineSeconds: 600,
          // The status has been lost.
          inProgress: undefined,
          ...change,
        },
        at(minute),
      );
      for (const { id = '', body } of actions) {
        const before = there.get(id);
        if (before === undefined) continue;
        there.set(id, { ...before, spec: { ...before.spec, ...(body.spec as object) } } as Workload);
        pods.set(id, [behind(minute)]);
      }
      return actions.map(({ id = '' }) => id);
    },
  };
}

const WEB = 'shop/Deployment/web';

describe.each<[string, Workload]>([
  [WEB, deployment('web')],
  ['shop/Rollout/web', argoRollout('web', {})],
])('%s whose pods repeatedly lack the anchor', (id, workload) => {
  test('restarts once even if the status is lost, and again after a long time', () => {
    const { look } = mesh(workload);
    const restarted = Array.from({ length: 200 }, (_, minute) => minute + 4).filter(
      (minute) => look(minute).length > 0,
    );
    expect(restarted).toEqual([4, 54, 104, 154]);
    expect(look(6_000)).toEqual([id]);
  });

  test('restarts again for an anchor that its pods must trust since the first restart', () => {
    const { look } = mesh(workload);
    expect(look(4)).toEqual([id]);
    expect(look(5)).toEqual([]);
    expect(look(12, { wave: { ...WAVE, since: at(11).getTime() } })).toEqual([id]);
    expect(look(13, { wave: { ...WAVE, since: at(11).getTime() } })).toEqual([]);
    // The operator forgot its memory, and announced the anchor again.
    expect(look(14, { wave: { ...WAVE, since: at(11).getTime() }, workloads: [] })).toEqual([]);
  });
});

test('a tenant that fakes pods of a workload causes restarts of that workload only', () => {
  const { look, pods } = mesh(deployment('web'), deployment('faked'));
  expect(look(4)).toHaveLength(2);
  pods.set(WEB, []);
  for (let minute = 5; minute < 200; minute++) {
    pods.set('shop/Deployment/faked', [behind(4), behind(minute)]);
    expect(look(minute)).not.toContain(WEB);
  }
});

test('a restart for another wave counts as another restart', () => {
  const { look } = mesh(deployment('web'));
  expect(look(4)).toEqual([WEB]);
  expect(look(5, { wave: { ...WAVE, reason: 'turn' } })).toEqual([WEB]);
  expect(look(6, { wave: { ...WAVE, reason: 'forget', generation: 3 } })).toEqual([WEB]);
});
