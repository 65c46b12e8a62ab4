import { isObject } from '../../../packages/base/is-object';
import { matchesSelector } from '../../../packages/base/label-selector';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { isNamespace } from '../../kubernetes/pod-places';
import { itemsOf } from '../../kubernetes/select-fields';
import { isMeshed, namespaceFacts, type PodSet, podSetsOf, type Surroundings } from './pod-sets';
import type { ProxySettings } from './proxy-settings';

/** Groups items by key, in their order. */
export function grouped<T>(
  entries: Iterable<readonly [key: string, item: T]>,
): ReadonlyMap<string, readonly [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const [key, item] of entries) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The pods of a cluster, indexed by labels. */
export class PodIndex implements Surroundings {
  readonly all: readonly PodSet[];
  readonly namespaces: Surroundings['namespaces'];
  private readonly byNamespace: ReadonlyMap<string, readonly PodSet[]>;
  private readonly byLabel: ReadonlyMap<string, readonly PodSet[]>;
  private found: ProxySettings | undefined;

  /** @param findSettings - returns the settings of the mesh, on demand */
  constructor(
    objects: readonly KubernetesObject[],
    private readonly findSettings: () => ProxySettings,
  ) {
    this.all = objects.flatMap(podSetsOf);
    this.namespaces = new Map(
      objects.filter(isNamespace).map((object) => [object.metadata.name, namespaceFacts(object)]),
    );
    this.byNamespace = grouped(this.all.map((pods) => [pods.namespace, pods]));
    this.byLabel = grouped(
      this.all.flatMap((pods) =>
        Object.entries(pods.labels).map(([key, value]) => [labelKey(pods.namespace, key, value), pods] as const),
      ),
    );
  }

  get settings(): ProxySettings {
    this.found ??= this.findSettings();
    return this.found;
  }

  /** Returns the sets of pods in a namespace. */
  in(namespace: string): readonly PodSet[] {
    return this.byNamespace.get(namespace) ?? [];
  }

  /**
   * Returns the sets of pods that a selector matches in a namespace. Labels of injected pods match every pod that may
   * be injected.
   */
  select(namespace: string, selector: unknown): readonly PodSet[] {
    const matchLabels = isObject(selector) && isObject(selector.matchLabels) ? selector.matchLabels : {};
    const candidates = Object.entries(matchLabels)
      .filter(([key]) => !isOfInjector(key))
      .map(([key, value]) => this.byLabel.get(labelKey(namespace, key, value)) ?? [])
      .reduce((fewest, list) => (list.length < fewest.length ? list : fewest), this.in(namespace));
    const known = withoutInjectorLabels(selector);
    const ofInjected = asksForInjected(selector);
    return candidates.filter(
      (pods) => matchesSelector(known, pods.labels, 'everything') && !(ofInjected && isMeshed(pods, this) === false),
    );
  }
}

function labelKey(namespace: string, key: string, value: unknown): string {
  return `${namespace} ${key}=${value}`;
}

/** Labels that the proxy injector sets on pods, and that no template has. */
const OF_INJECTOR = /^linkerd\.io\/(?:control-plane-ns|workload-ns|proxy-)/;

function isOfInjector(key: unknown): boolean {
  return typeof key === 'string' && OF_INJECTOR.test(key);
}

/** Whether a selector matches only pods with a proxy. */
function asksForInjected(selector: unknown): boolean {
  if (!isObject(selector)) return false;
  const { matchLabels, matchExpressions } = selector;
  return (
    Object.keys(isObject(matchLabels) ? matchLabels : {}).some(isOfInjector) ||
    itemsOf(matchExpressions).some((one) => isObject(one) && isOfInjector(one.key) && one.operator !== 'DoesNotExist')
  );
}

function withoutInjectorLabels(selector: unknown): unknown {
  if (!isObject(selector)) return selector;
  const { matchLabels, matchExpressions } = selector;
  return {
    matchLabels: isObject(matchLabels)
      ? Object.fromEntries(Object.entries(matchLabels).filter(([key]) => !isOfInjector(key)))
      : {},
    matchExpressions: Array.isArray(matchExpressions)
      ? matchExpressions.filter((one: unknown) => !(isObject(one) && isOfInjector(one.key)))
      : [],
  };
}
