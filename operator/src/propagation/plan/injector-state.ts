import { INJECTION_ANNOTATION } from '../../../api/names';
import { kubeTime } from '../../runtime/objects/kube-time';
import { DEPLOYMENT_RULES, type Deployment } from '../kinds/deployment';
import { configOf } from '../kinds/pod-template';
import { type Injection, parseRestartValue } from '../objects/injection';
import { markedHash } from '../objects/injector-mark';
import { selects } from '../objects/label-selector';
import { isServing, type Pod } from '../objects/pod';
import type { ClusterView } from './cluster-view';

/** How far the injector is with a configuration. */
export type InjectorState =
  | { readonly kind: 'missing' }
  /** It has to be restarted: a new pod mounts the configuration of now, an old one that of a minute ago. */
  | { readonly kind: 'outdated'; readonly injector: Deployment }
  | { readonly kind: 'rolling'; readonly until: string; readonly overdue?: string }
  /** Every injector has it now, which is to be written down before anything follows from it. */
  | { readonly kind: 'unrecorded'; readonly injector: Deployment; readonly injection: Injection }
  /** Every injector had it, and none answers: a pod that is created now has no proxy, or none is created. */
  | { readonly kind: 'away'; readonly injection: Injection }
  /** Every injector has it; where there is no `injection`, it always did. */
  | { readonly kind: 'injecting'; readonly injector: Deployment; readonly injection?: Injection };

/** What is known of a configuration besides what the cluster shows. */
export interface ConfigKnowledge {
  /** Hash of what proxies have of it. */
  readonly configHash: string;
  /** The same of the configuration when the control plane was adopted. */
  readonly adoptedHash?: string;
  /** What the status says of the injector. */
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

/** Nobody has restarted it yet, or somebody has put another in its place, which has the configuration of today. */
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
 * Now, unless this clock is behind that of the API server, which says when pods are created; and later than the last
 * time, so that a configuration that comes back within a second is another restart.
 */
function since(last: Injection | undefined, pods: readonly Pod[], now: Date): string {
  const created = pods.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')).filter(Number.isFinite);
  const next = last === undefined ? 0 : Date.parse(last.since) + 1000;
  return kubeTime(new Date(Math.max(now.getTime(), next, ...created)));
}
