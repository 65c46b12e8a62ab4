import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Controller } from '#controller-runtime/controller/controller';
import type { EventNote } from '#controller-runtime/events/event';
import { DEPLOYMENTS } from '#controller-runtime/objects/built-in-resources';
import { type KubeObject, objectKey } from '#controller-runtime/objects/kube-object';
import type { Manager } from '#controller-runtime/process/manager';
import { INJECTOR_DEPLOYMENT } from '../../api/names';
import { propagationCaches } from './caches/caches';
import { workloadId } from './kinds/workload';
import type { PropagationAction } from './plan/actions';
import type { PropagationPlan, PropagationTarget } from './plan/propagation-plan';
import { createPlanner } from './planner';
import { type ActionOptions, runActions } from './run-actions';

/** The part of the operator that restarts workloads, so that their proxies get a changed configuration. */
export interface Propagation {
  /** Reconciles the keys on changes that affect a plan. Call it before the manager starts. */
  watch(controller: Controller, keys: () => readonly string[]): void;
  /** Plans the next steps from the caches. Yields to other work in this process. */
  plan(target: PropagationTarget): Promise<PropagationPlan>;
  /**
   * Executes a plan, once its report is written.
   * @returns the milliseconds until the next plan, even without changes
   */
  run(plan: PropagationPlan, options: ActionOptions): Promise<{ readonly requeueAfterMs?: number }>;
}

/** Settings for restarting workloads after a change of the configuration. */
export interface PropagationSettings {
  /** Namespace of the control plane. */
  readonly linkerdNamespace: string;
}

/** The milliseconds until the next plan if an object changed between planning and acting. */
const OUTDATED_MS = 250;

/** Names an action for the log. The injector has two: its restart, and the record that it has the configuration. */
function deedOf({ id, body }: PropagationAction): string {
  if (id !== undefined) return 'restarted the workload';
  return 'spec' in body ? 'restarted the injector' : 'every injector has the configuration';
}

function restarted(configHash: string | undefined): Omit<EventNote, 'regarding'> {
  return {
    type: 'Normal',
    reason: 'Restarted',
    note: `Its pods follow the configuration of Linkerd, which is now ${configHash}`,
  };
}

/** Sets up the caches and the planner for restarting workloads. */
export function setUpPropagation(manager: Manager, { linkerdNamespace }: PropagationSettings): Propagation {
  const caches = propagationCaches(manager, linkerdNamespace);
  const injector = workloadId({
    kind: DEPLOYMENTS.kind,
    metadata: { name: INJECTOR_DEPLOYMENT, namespace: linkerdNamespace },
  });
  const planner = createPlanner(() => performance.now());
  const log = manager.log.with({ part: 'propagation' });
  return {
    watch: caches.watch,
    plan: async (target) => {
      const slices = planner.plan(caches.view(injector), target, new Date());
      for (;;) {
        const { done, value } = slices.next();
        if (done) return value;
        await nextTurn();
      }
    },
    run: async ({ actions, report }, options) => {
      const { configHash } = report.status.injector ?? {};
      const observer = {
        written: (action: PropagationAction, object: KubeObject) => {
          log.info(deedOf(action), { kind: action.resource.kind, key: objectKey(object), configHash });
          if (action.id !== undefined) manager.events.record({ regarding: object, ...restarted(configHash) });
          caches.written(action.resource, object);
          planner.written(action);
        },
        refused: (id: string, message: string) => {
          log.warn('the API server refused a restart', { workload: id, message });
          planner.refused(id, message, configHash);
        },
        overtaken: (id: string) => planner.overtaken(id, configHash),
      };
      const { isOutdated } = await runActions(manager.client, actions, observer, options);
      return isOutdated ? { requeueAfterMs: OUTDATED_MS } : {};
    },
  };
}
