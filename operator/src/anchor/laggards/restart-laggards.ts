import type { ObservedTrust } from '#anchor/observed';
import type { AnchorPlan, RestartWave } from '#anchor/plan';
import { isBehind } from '#anchor/rotation/wave';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { EventRecorder } from '#controller-runtime/events/event-recorder';
import { type KubeObject, objectKey } from '#controller-runtime/objects/kube-object';
import type { Logger } from '#controller-runtime/telemetry/logger';
import type { PropagationAction } from '../../propagation/plan/actions';
import { rejectedRestarts, restartRepetitions } from '../../propagation/restart-memory';
import { type RunOutcome, runActions } from '../../propagation/run-actions';
import type { AnchorCaches } from '../caches/anchor-caches';
import { isMeshed, type MeshedPod, workloadOfPod } from '../objects/meshed-pod';
import type { TrustAnchor } from '../objects/trust-anchor';
import { observedPod } from '../observe/observe-pods';
import { type LaggardPlan, planLaggards, waveHash } from './plan-laggards';

/** Restarts workloads whose pods do not trust the next anchor. */
export interface LaggardRestarts {
  /** Plans the next restarts; undefined if none is requested or in progress. */
  plan(input: LaggardInput, now: Date): LaggardPlan | undefined;
  /** Executes a plan, once it is written. */
  run(plan: LaggardPlan, options: RunOptions): Promise<RunOutcome>;
}

interface LaggardInput {
  readonly anchor: TrustAnchor;
  readonly trust: ObservedTrust;
  readonly plan: AnchorPlan;
}

interface RunOptions {
  readonly signal: AbortSignal;
  /** Checks with the API server that the reasons for the plan still hold. */
  readonly holds: (signal: AbortSignal) => Promise<boolean>;
}

/** What restarting workloads requires. */
export interface LaggardMeans {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly caches: Pick<AnchorCaches, 'workloads' | 'budgets' | 'pods' | 'isPropagating' | 'injectors'>;
}

const TAKEN_BACK =
  'another client removed the annotation of its pod template (restartAt of a Rollout) that restarts it: restart the workload manually';

/**
 * Creates the part that restarts laggards, the workloads whose pods do not trust the next anchor. It records refusals,
 * and restarts that are repeatedly undone.
 */
export function laggardRestarts({ client, events, log, caches }: LaggardMeans): LaggardRestarts {
  const rejected = rejectedRestarts(() => performance.now());
  const repetitions = restartRepetitions();
  let hash = '';
  let note = '';
  return {
    plan: (input, now) => {
      const target = targetOf(input, caches);
      if (target === undefined) return undefined;
      hash = waveHash(target.wave);
      note = NOTES[target.wave.reason];
      const planned = planLaggards({ ...viewOf(caches), rejections: rejected.current(hash) }, target, now);
      const again = new Set(repetitions.among(planned.actions));
      for (const id of again) rejected.add(id, { configHash: hash, message: TAKEN_BACK });
      return { ...planned, actions: planned.actions.filter(({ id = '' }) => !again.has(id)) };
    },
    run: ({ actions }, { signal, holds }) => {
      const observer = {
        written: (action: PropagationAction, object: KubeObject) => {
          log.info('restarted a workload for the trust anchor', { kind: action.resource.kind, key: objectKey(object) });
          events.record({ regarding: object, type: 'Normal', reason: 'Restarted', note });
          caches.workloads.written(action.resource, object);
          repetitions.add(action);
        },
        refused: (id: string, message: string) => {
          log.warn('the API server refused a restart', { workload: id, message });
          rejected.add(id, { configHash: hash, message: `the API server refused its restart: ${message}` });
        },
      };
      return runActions(client, actions, observer, { signal, holdsConfig: holds });
    },
  };
}

const NOTES: Readonly<Record<RestartWave['reason'], string>> = {
  adopt: "Its pods may not trust the mesh's next trust anchor",
  turn: 'Its pods may have certificates of the old trust anchor, replaced because a key leaked',
  forget: 'Its pods may trust an anchor whose key leaked, or that certified a leaked key',
};

function targetOf(input: LaggardInput, caches: LaggardMeans['caches']) {
  const { anchor, trust, plan } = input;
  const { wave, memory } = plan;
  const inProgress = anchor.status?.restarts?.inProgress;
  const asked = plan.actions.find((action) => action.do === 'restart-laggards');
  if (wave === undefined) return undefined;
  if (asked === undefined && (inProgress ?? []).length === 0) return undefined;
  const { controlPlaneNamespace, laggards } = anchor.spec;
  const waitsFor = waitsForOthers(caches);
  const isLaggard = (pod: MeshedPod): boolean => {
    const one = isMeshed(pod) ? observedPod(pod, controlPlaneNamespace) : undefined;
    return one !== undefined && isBehind(one, wave, trust, memory);
  };
  return {
    wave,
    workloads: asked?.workloads ?? [],
    retryMs: DEADLINES * Math.max(trust.policy.restartTime, trust.policy.lag),
    knows: (pod: MeshedPod): boolean => !isLaggard(pod),
    maxUnavailableWorkloads: laggards.maxUnavailableWorkloads,
    progressDeadlineSeconds: laggards.progressDeadlineSeconds,
    inProgress,
    ...(waitsFor !== undefined && { waitsFor }),
  };
}

/** Number of restart deadlines after which ineffective restarts are tried again. */
const DEADLINES = 5;

function waitsForOthers(caches: LaggardMeans['caches']): string | undefined {
  if (caches.isPropagating()) return 'workloads are restarting for a new configuration';
  return caches.injectors() === 0 ? 'no injector is available: new pods would have no proxy' : undefined;
}

function viewOf({ workloads, budgets, pods }: LaggardMeans['caches']) {
  return {
    workloads: workloads.list(),
    pods: Map.groupBy(pods.list().filter(isMeshed), workloadOfPod),
    budgets: budgets.list(),
    isIncomplete: workloads.isIncomplete(),
  };
}
