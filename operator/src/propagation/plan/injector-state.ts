import { matchesSelector } from '#base/label-selector';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { INJECTION_ANNOTATION } from '#operator/api/names';
import { DEPLOYMENT_RULES, type Deployment } from '../kinds/deployment';
import { configOf } from '../kinds/pod-template';
import { type Injection, parseRestartValue } from '../objects/injection';
import { markedHash } from '../objects/injector-mark';
import { isServing, type Pod } from '../objects/pod';
import type { ClusterView } from './cluster-view';

/** The state of the injector compared with a configuration. */
export type InjectorState =
  | { readonly kind: 'missing' }
  /**
   * The injector must restart: a new pod mounts the current configuration, while an old one may have that of a minute
   * ago.
   */
  | { readonly kind: 'outdated'; readonly injector: Deployment }
  | { readonly kind: 'rolling'; readonly until: string; readonly overdue?: string }
  /** Every injector has the configuration now, which is recorded before any action depends on it. */
  | { readonly kind: 'unrecorded'; readonly injector: Deployment; readonly injection: Injection }
  /** Every injector had the configuration, and none is available: a new pod has no proxy, or is not created. */
  | { readonly kind: 'away'; readonly injection: Injection }
  /** Every injector has the configuration; without `injection`, since before the adoption. */
  | { readonly kind: 'injecting'; readonly injector: Deployment; readonly injection?: Injection };

/** Facts about a configuration that the cluster does not show. */
export interface ConfigKnowledge {
  /** The hash of the proxies' part. */
  readonly configHash: string;
  /** The same hash of the configuration at the adoption of the control plane. */
  readonly adoptedHash?: string;
  /** The part of the status about the injector. */
  readonly previous?: { readonly injector?: Injection };
}

/**
 * Returns the state of the injector. The time when every injector has a configuration is determined once and kept as an
 * annotation of its Deployment, because it cannot be derived later: the conditions of a Deployment change with later
 * restarts, but not when it returns to an older template.
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
  const pods = injectorPods.filter(({ metadata }) => matchesSelector(injector.spec.selector, metadata.labels));
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

/** Judges an injector without annotations: it was never restarted, or was replaced since. */
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
  if (until !== undefined) return injector.spec.paused ? 'its rollout is resumed' : until;
  // Terminating replicas are no longer counted, but answer as long as clients are connected.
  const old = pods.filter((pod) => isServing(pod) && configOf({ spec: { template: pod } }) !== configOf(injector));
  return old.length > 0 ? `${old.length} old pods no longer serve` : undefined;
}

/**
 * Returns the current time, or the API server's if this clock is behind, because the API server sets the creation times
 * of pods. The result is later than the last time, so that a configuration that returns within a second restarts again.
 */
function since(last: Injection | undefined, pods: readonly Pod[], now: Date): string {
  const created = pods.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')).filter(Number.isFinite);
  const next = last === undefined ? 0 : Date.parse(last.since) + 1000;
  return kubeTime(new Date(Math.max(now.getTime(), next, ...created)));
}
