import { INJECTION_ANNOTATION } from '../../../api/names';
import { kubeTime } from '../../runtime/objects/kube-time';
import { DEPLOYMENT_RULES, type Deployment } from '../kinds/deployment';
import { configOf } from '../kinds/pod-template';
import { type Injection, parseRestartValue } from '../objects/injection';
import { markedHash } from '../objects/injector-mark';
import { selects } from '../objects/label-selector';
import { isServing, type Pod } from '../objects/pod';
import type { ClusterView } from './cluster-view';

/** The state of the injector with regard to a configuration. */
export type InjectorState =
  | { readonly kind: 'missing' }
  /** The injector has to be restarted: a new pod mounts the present configuration, an old one that of a minute ago. */
  | { readonly kind: 'outdated'; readonly injector: Deployment }
  | { readonly kind: 'rolling'; readonly until: string; readonly overdue?: string }
  /** Every injector has the configuration now, which is recorded before anything follows from it. */
  | { readonly kind: 'unrecorded'; readonly injector: Deployment; readonly injection: Injection }
  /** Every injector had the configuration, and none answers: a new pod has no proxy, or none is created. */
  | { readonly kind: 'away'; readonly injection: Injection }
  /** Every injector has the configuration; without `injection`, it always had. */
  | { readonly kind: 'injecting'; readonly injector: Deployment; readonly injection?: Injection };

/** Knowledge of a configuration that the cluster does not show. */
export interface ConfigKnowledge {
  /** The hash of the part that proxies have. */
  readonly configHash: string;
  /** The same hash of the configuration at the adoption of the control plane. */
  readonly adoptedHash?: string;
  /** The part of the status that is about the injector. */
  readonly previous?: { readonly injector?: Injection };
}

/**
 * Decides how far the injector is. When every injector has a configuration is established once and kept as an
 * annotation of its Deployment, because it cannot be read off later: the conditions of a Deployment change with later
 * restarts, and do not change at all when it goes back to an older template.
 */
export function injectorState(
  { injector, injectorPods }: Pick<ClusterView, 'injector' | 'injectorPods'>,
  knowledge: ConfigKnowledge,
  now: Date,
): InjectorState {
  const { configHash } = knowledge;
  if (injector === undefined) return { kind: 'missing' };
  const recorded = parseRestartValue(injector.metadata.annotations?.[INJECTION_ANNOTATION]);
  if (recorded?.configHash === configHash) return injecting(injector, recorded);
  const annotated = configOf(injector);
  if (annotated === undefined && recorded === undefined) return unmarked(injector, knowledge);
  if (markedHash(annotated) !== configHash) return { kind: 'outdated', injector };
  const pods = injectorPods.filter(({ metadata }) => selects(injector.spec.selector, metadata.labels));
  const until = missing(injector, pods);
  if (until === undefined) {
    return { kind: 'unrecorded', injector, injection: { configHash, since: since(recorded, pods, now) } };
  }
  return { kind: 'rolling', until, overdue: DEPLOYMENT_RULES.overdue?.(injector) };
}

function injecting(injector: Deployment, injection: Injection): InjectorState {
  const isAway = (injector.status?.availableReplicas ?? 0) === 0;
  return isAway ? { kind: 'away', injection } : { kind: 'injecting', injector, injection };
}

/** Judges an injector without annotations: nobody has restarted it yet, or somebody has replaced it since. */
function unmarked(injector: Deployment, { configHash, adoptedHash, previous }: ConfigKnowledge): InjectorState {
  if (previous?.injector?.configHash === configHash) {
    return injecting(injector, previous.injector);
  }
  const isAsAdopted = previous?.injector === undefined && adoptedHash === configHash;
  return { kind: isAsAdopted ? 'injecting' : 'outdated', injector };
}

function missing(injector: Deployment, pods: readonly Pod[]): string | undefined {
  if (injector.spec.replicas === 0) return 'it has replicas';
  const until = DEPLOYMENT_RULES.missing(injector);
  if (until !== undefined) return injector.spec.paused ? 'somebody resumes its rollout' : until;
  // Replicas that terminate are no longer counted, but answer as long as they are connected to.
  const old = pods.filter((pod) => isServing(pod) && configOf({ spec: { template: pod } }) !== configOf(injector));
  return old.length > 0 ? `${old.length} old pods no longer serve` : undefined;
}

/**
 * Returns the present time, unless this clock is behind that of the API server, which says when pods are created; and
 * later than the last time, so that a configuration that comes back within a second is another restart.
 */
function since(last: Injection | undefined, pods: readonly Pod[], now: Date): string {
  const created = pods.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')).filter(Number.isFinite);
  const next = last === undefined ? 0 : Date.parse(last.since) + 1000;
  return kubeTime(new Date(Math.max(now.getTime(), next, ...created)));
}
