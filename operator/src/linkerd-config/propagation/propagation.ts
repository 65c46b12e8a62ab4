import { INJECTOR_DEPLOYMENT } from '../../../api/names';
import { DEPLOYMENTS } from '../../runtime/built-in-resources';
import type { Controller } from '../../runtime/controller';
import type { EventNote } from '../../runtime/event';
import { type KubeObject, objectKey } from '../../runtime/kube-object';
import type { Manager } from '../../runtime/manager';
import type { PropagationAction } from './actions';
import { propagationCaches } from './caches';
import { type PropagationPlan, type PropagationTarget, planPropagation } from './plan';
import { REFUSAL_MS, refusals } from './refusals';
import { restartRepetitions } from './restart-repetitions';
import { type RunOptions, runPlan } from './run-plan';
import { workloadId } from './workload';

/** Brings a configuration to the proxies. */
export interface Propagation {
  /** Reconciles the keys whenever something changes that a plan depends on. To be called before the manager starts. */
  watch(controller: Controller, keys: () => readonly string[]): void;
  /** What to do next, as far as the caches know. */
  plan(target: PropagationTarget): PropagationPlan;
  /**
   * Carries a plan out, once its report is written.
   * @returns after how many milliseconds it is to be looked at again, even if nothing changes
   */
  run(plan: PropagationPlan, options: RunOptions): Promise<{ readonly requeueAfterMs?: number }>;
}

/** What a plan needs to know of the installation. */
export interface PropagationSettings {
  /** Namespace of the control plane. */
  readonly linkerdNamespace: string;
}

/** After what time a look is worth another when something changed between planning and doing. */
const OUTDATED_MS = 250;

/** What whoever looks after a workload is told. */
/** For the log: the injector is written to twice. */
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

/** What is said of a workload that lost the annotation which restarted it. */
const TAKEN_BACK =
  'somebody took back the annotation of its pod template that restarts it: let them leave it alone, or restart it by hand';

export function setUpPropagation(manager: Manager, { linkerdNamespace }: PropagationSettings): Propagation {
  const caches = propagationCaches(manager, linkerdNamespace);
  const injector = workloadId({
    kind: DEPLOYMENTS.kind,
    metadata: { name: INJECTOR_DEPLOYMENT, namespace: linkerdNamespace },
  });
  const refused = refusals(() => performance.now());
  const repetitions = restartRepetitions();
  const log = manager.log.with({ part: 'propagation' });
  return {
    watch: caches.watch,
    plan: (target) => {
      const { configHash } = target;
      const seen = caches.view(injector);
      const planWith = (): PropagationPlan => {
        const view = { ...seen, refusals: refused.current(configHash) };
        const plan = planPropagation(view, target, new Date());
        if (view.refusals.size === 0) return plan;
        return { ...plan, requeueAfterMs: Math.min(plan.requeueAfterMs ?? REFUSAL_MS, REFUSAL_MS) };
      };
      const plan = planWith();
      const again = repetitions.among(plan.actions);
      if (again.length === 0) return plan;
      for (const id of again) refused.add(id, { configHash, message: TAKEN_BACK });
      return planWith();
    },
    run: async ({ actions, report }, options) => {
      const observer = {
        written: (action: PropagationAction, object: KubeObject) => {
          const { configHash } = report.status.injector ?? {};
          log.info(deedOf(action), { kind: action.resource.kind, key: objectKey(object), configHash });
          if (action.id !== undefined) manager.events.record({ regarding: object, ...restarted(configHash) });
          caches.written(action.resource, object);
          repetitions.add(action);
        },
        refused: (id: string, message: string) => {
          log.warn('restart refused', { workload: id, message });
          const configHash = report.status.injector?.configHash;
          refused.add(id, { configHash, message: `its restart was refused: ${message}` });
        },
      };
      const { isOutdated } = await runPlan(manager.client, actions, observer, options);
      return isOutdated ? { requeueAfterMs: OUTDATED_MS } : {};
    },
  };
}
