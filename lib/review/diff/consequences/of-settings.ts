import { describeObject, type KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { DEFAULT_INBOUND_POLICY, INJECT } from '../../../linkerd/annotations';
import type { ComparedCluster } from './compared';
import type { Consequence, SettingConsequence } from './consequence';
import { isValuesChanged, meshValueText } from './mesh-values';
import { type Effect, effectsOf, PROXY_SETTINGS } from './proxy-settings';
import { hasProxy, isInjected, isWorkload, podMetadata } from './workloads';

/** The consequences of annotations and values by which proxies are set up: what traffic loses mTLS, is refused or let in. */
export function ofSettings(cluster: ComparedCluster): readonly Consequence[] {
  const { changed, added } = cluster.changes;
  return [
    ...changed.flatMap(({ before, after }) => ofAnnotations({ before, after }, cluster)),
    // A namespace that is new in the output may have been in the cluster all along.
    ...added
      .filter(({ kind }) => kind === 'Namespace')
      .flatMap((after) => ofAnnotations({ before: bare(after), after }, cluster))
      .filter(({ severity }) => severity === 'breaks-traffic' || severity === 'opens-access')
      .map((one): Consequence => ({ ...one, severity: 'warning' })),
    ...ofValues(cluster),
  ];
}

interface Pair {
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
}

function bare({ metadata, ...others }: KubernetesObject): KubernetesObject {
  return { ...others, metadata: { ...metadata, annotations: {}, labels: {} } };
}

function ofAnnotations(pair: Pair, cluster: ComparedCluster): readonly SettingConsequence[] {
  const { after } = pair;
  const [old, next] = [annotationsOf(pair.before), annotationsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((name) => old[name] !== next[name]);
  // A proxy that comes or goes is all that there is to tell of a workload: its settings had none, or have none to set up.
  const isUnmeshed = isWithoutProxy(pair.before, cluster, 'before') || isWithoutProxy(after, cluster, 'after');
  return names.flatMap((setting) => {
    if (isUnmeshed && setting !== INJECT) return [];
    // Of a namespace that is told by itself, with the label that keeps it out of the webhooks.
    if (setting === INJECT && after.kind === 'Namespace') return [];
    const effects = effectsOf(setting)?.(...sidesOf(setting, pair, cluster)) ?? [];
    return effects.map((effect) => consequence(effect, setting, after, cluster));
  });
}

/** Tells workloads of which the output says that their pods have no proxy. */
function isWithoutProxy(object: KubernetesObject, cluster: ComparedCluster, side: 'before' | 'after'): boolean {
  if (!isWorkload(object) || hasProxy(object) || isInjected(object, cluster.contents[side].injected)) return false;
  if (podMetadata(object, 'annotations')[INJECT] !== undefined) return true;
  const objects = side === 'before' ? cluster.objectsBefore() : cluster.objects();
  return objects.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === object.metadata.namespace);
}

/** The values of an annotation on both sides; what is not said is the mesh's default. */
function sidesOf(
  setting: string,
  pair: Pair,
  cluster: ComparedCluster,
): readonly [before: string | undefined, after: string | undefined] {
  const { value } = PROXY_SETTINGS.find(({ annotations }) => annotations.includes(setting)) ?? {};
  const side = (which: 'before' | 'after') =>
    annotationsOf(pair[which])[setting] ?? meshValueText(cluster, which, value);
  return [side('before'), side('after')];
}

function consequence(
  { effect, severity, of }: Effect,
  setting: string,
  object: KubernetesObject,
  cluster: ComparedCluster,
): SettingConsequence {
  const when = whenOf(object);
  const workloads = object.kind === 'Namespace' ? workloadsOf(object, setting, cluster) : [];
  return {
    code: 'proxy-setting-changed',
    severity,
    object: describeObject(object),
    setting,
    effect,
    of,
    when,
    workloads,
  };
}

/** A Namespace counts for pods that start, as do kinds that are not rolled for a new template. */
function whenOf(object: KubernetesObject): SettingConsequence['when'] {
  if (['Namespace', 'Pod', 'CronJob', 'Job', 'ReplicaSet'].includes(object.kind)) return 'pod-start';
  return isWorkload(object) ? 'rollout' : 'at-once';
}

/** The workloads of the output that take a setting from their namespace. */
function workloadsOf({ metadata }: KubernetesObject, setting: string, cluster: ComparedCluster): readonly string[] {
  return cluster
    .objects()
    .filter((object) => object.metadata.namespace === metadata.name && isWorkload(object))
    .filter(
      (object) => isInjected(object, cluster.contents.after.injected) && annotationsOf(object)[setting] === undefined,
    )
    .map(describeObject);
}

/** The annotations of a namespace or a Service, or of the pods of a workload. */
function annotationsOf(object: KubernetesObject): Readonly<Record<string, string | undefined>> {
  if (!isWorkload(object)) return object.metadata.annotations ?? {};
  return podMetadata(object, 'annotations') as Readonly<Record<string, string | undefined>>;
}

/** The effects of values that are the default of all pods. Those without one on traffic are told with the other values. */
function ofValues(cluster: ComparedCluster): readonly Consequence[] {
  if (!isValuesChanged(cluster)) return [];
  const object = `the mesh of ${cluster.contents.after.namespaces.controlPlane ?? 'the cluster'}`;
  return PROXY_SETTINGS.flatMap(({ annotations, value, effects }) => {
    const [old, next] = [meshValueText(cluster, 'before', value), meshValueText(cluster, 'after', value)];
    if (value === undefined || old === next) return [];
    // The policy controller, which restarts with the sync, decides for all pods; the rest comes with a pod.
    const when = annotations.includes(DEFAULT_INBOUND_POLICY) ? 'at-once' : 'pod-start';
    return effects(old, next).map(({ effect, severity, of }): SettingConsequence => {
      return { code: 'proxy-setting-changed', severity, object, setting: value, effect, of, when, workloads: [] };
    });
  });
}
