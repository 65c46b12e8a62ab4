import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { DEFAULT_INBOUND_POLICY, INJECT } from '#linkerd/annotations';
import type { ChangedPair } from '../changes';
import { type Consequence, consequence, type SettingConsequence } from './catalogue';
import type { ComparedCluster } from './compared';
import { isValuesChanged, meshValueText } from './mesh-values';
import { type Effect, effectsOf, PROXY_SETTINGS } from './proxy-settings';
import { hasProxy, isInjected, isWorkload, podMetadata } from './workloads';

/**
 * Returns the consequences of annotations and values that configure proxies: traffic that loses mTLS, is refused, or is
 * allowed.
 */
export function ofSettings(cluster: ComparedCluster): readonly Consequence[] {
  const { changed, added } = cluster.changes;
  return [
    ...changed.flatMap((pair) => ofAnnotations(pair, cluster)),
    // A namespace that is new in the output may already exist in the cluster.
    ...added
      .filter(({ kind }) => kind === 'Namespace')
      .flatMap((after) => ofAnnotations({ before: bare(after), after }, cluster))
      .filter(({ severity }) => severity === 'breaks-traffic' || severity === 'opens-access')
      .map((one): Consequence => ({ ...one, severity: 'warning' })),
    ...ofValues(cluster),
  ];
}

type Pair = Pick<ChangedPair, 'before' | 'after'>;

function bare({ metadata, ...others }: KubernetesObject): KubernetesObject {
  return { ...others, metadata: { ...metadata, annotations: {}, labels: {} } };
}

function ofAnnotations(pair: Pair, cluster: ComparedCluster): readonly SettingConsequence[] {
  const { after } = pair;
  const [old, next] = [annotationsOf(pair.before), annotationsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((name) => old[name] !== next[name]);
  // For a workload that gains or loses its proxy, only that is reported: without a proxy, the settings have no effect.
  const isUnmeshed = isWithoutProxy(pair.before, cluster, 'before') || isWithoutProxy(after, cluster, 'after');
  return names.flatMap((setting) => {
    if (isUnmeshed && setting !== INJECT) return [];
    // `ofNamespace` reports the injection of namespaces, including their webhook label.
    if (setting === INJECT && after.kind === 'Namespace') return [];
    const effects = effectsOf(setting)?.(...sidesOf(setting, pair, cluster)) ?? [];
    return effects.map((effect) => ofEffect(effect, setting, after, cluster));
  });
}

function isWithoutProxy(object: KubernetesObject, cluster: ComparedCluster, side: 'before' | 'after'): boolean {
  if (!isWorkload(object) || hasProxy(object) || isInjected(object, cluster.contents[side].injected)) return false;
  if (podMetadata(object, 'annotations')[INJECT] !== undefined) return true;
  const objects = side === 'before' ? cluster.objectsBefore() : cluster.objects();
  return objects.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === object.metadata.namespace);
}

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

function ofEffect(
  { effect, severity, of }: Effect,
  setting: string,
  object: KubernetesObject,
  cluster: ComparedCluster,
): SettingConsequence {
  const when = whenOf(object);
  const workloads = object.kind === 'Namespace' ? workloadsOf(object, setting, cluster) : [];
  return consequence(
    { code: 'proxy-setting-changed', object: describeObject(object), setting, effect, of, when, workloads },
    severity,
  );
}

/** The settings of a Namespace, and of kinds that do not roll out a new template, apply when a pod starts. */
function whenOf(object: KubernetesObject): SettingConsequence['when'] {
  if (['Namespace', 'Pod', 'CronJob', 'Job', 'ReplicaSet'].includes(object.kind)) return 'pod-start';
  return isWorkload(object) ? 'rollout' : 'at-once';
}

function workloadsOf({ metadata }: KubernetesObject, setting: string, cluster: ComparedCluster): readonly string[] {
  return cluster
    .objects()
    .filter((object) => object.metadata.namespace === metadata.name && isWorkload(object))
    .filter(
      (object) => isInjected(object, cluster.contents.after.injected) && annotationsOf(object)[setting] === undefined,
    )
    .map(describeObject);
}

function annotationsOf(object: KubernetesObject): Readonly<Record<string, string | undefined>> {
  if (!isWorkload(object)) return object.metadata.annotations ?? {};
  return podMetadata(object, 'annotations') as Readonly<Record<string, string | undefined>>;
}

/** Returns the consequences of changed values that affect traffic. `ofWorkloads` reports all changed values. */
function ofValues(cluster: ComparedCluster): readonly Consequence[] {
  if (!isValuesChanged(cluster)) return [];
  const object = `the mesh of ${cluster.contents.after.namespaces.controlPlane ?? 'the cluster'}`;
  return PROXY_SETTINGS.flatMap(({ annotations, value, effects }) => {
    const [old, next] = [meshValueText(cluster, 'before', value), meshValueText(cluster, 'after', value)];
    if (value === undefined || old === next) return [];
    // The policy controller applies the default policy to all pods when it restarts with the sync. Proxies read other
    // values when their pod starts.
    const when = annotations.includes(DEFAULT_INBOUND_POLICY) ? 'at-once' : 'pod-start';
    return effects(old, next).map(({ effect, severity, of }): SettingConsequence => {
      return consequence(
        { code: 'proxy-setting-changed', object, setting: value, effect, of, when, workloads: [] },
        severity,
      );
    });
  });
}
