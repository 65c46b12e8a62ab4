import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { matchesSelector } from '../../kubernetes/label-selector';
import { isNamespace } from '../../kubernetes/pod-places';
import { isObject, itemsOf } from '../../kubernetes/select-fields';
import { isMeshed, namespaceFacts, type PodSet, podSetsOf, type Surroundings } from './pod-sets';
import type { ProxySettings } from './proxy-settings';

/** The items of each key, in the order in which they came. */
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

/** The pods of a cluster, to be found by labels without a look at all of them. */
export class PodIndex implements Surroundings {
  readonly all: readonly PodSet[];
  readonly namespaces: Surroundings['namespaces'];
  private readonly byNamespace: ReadonlyMap<string, readonly PodSet[]>;
  private readonly byLabel: ReadonlyMap<string, readonly PodSet[]>;
  private found: ProxySettings | undefined;

  /** @param findSettings - finds the settings of the mesh, where a rule asks for them */
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

  /** The sets of pods in a namespace. */
  in(namespace: string): readonly PodSet[] {
    return this.byNamespace.get(namespace) ?? [];
  }

  /** The sets of pods that a selector finds in a namespace. Labels that only injected pods have fit each that may be. */
  select(namespace: string, selector: unknown): readonly PodSet[] {
    const matchLabels = isObject(selector) && isObject(selector.matchLabels) ? selector.matchLabels : {};
    const candidates = Object.entries(matchLabels)
      .filter(([key]) => !isOfInjector(key))
      .map(([key, value]) => this.byLabel.get(labelKey(namespace, key, value)) ?? [])
      .reduce((fewest, list) => (list.length < fewest.length ? list : fewest), this.in(namespace));
    const known = withoutInjectorLabels(selector);
    const ofInjected = asksForInjected(selector);
    return candidates.filter(
      (pods) => matchesSelector(known, pods.labels) && !(ofInjected && isMeshed(pods, this) === false),
    );
  }
}

function labelKey(namespace: string, key: string, value: unknown): string {
  return `${namespace} ${key}=${value}`;
}

/** Labels that the proxy injector gives to pods, and no template has. */
const OF_INJECTOR = /^linkerd\.io\/(?:control-plane-ns|workload-ns|proxy-)/;

function isOfInjector(key: unknown): boolean {
  return typeof key === 'string' && OF_INJECTOR.test(key);
}

/** Tells whether a selector finds pods with a proxy alone. */
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
