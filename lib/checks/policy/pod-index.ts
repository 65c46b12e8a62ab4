import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { matchesSelector } from '../../kubernetes/label-selector';
import { isNamespace } from '../../kubernetes/pod-places';
import { isObject } from '../../kubernetes/select-fields';
import { grouped } from './grouped';
import { type NamespaceAnnotations, type PodSet, podSetsOf } from './pod-sets';

/** The pods of a cluster, to be found by labels without a look at all of them. */
export class PodIndex {
  readonly all: readonly PodSet[];
  /** The annotations of the namespaces that are known. */
  readonly namespaces: NamespaceAnnotations;
  private readonly byNamespace: ReadonlyMap<string, readonly PodSet[]>;
  private readonly byLabel: ReadonlyMap<string, readonly PodSet[]>;

  constructor(objects: readonly KubernetesObject[]) {
    this.all = objects.flatMap(podSetsOf);
    this.namespaces = new Map(
      objects.filter(isNamespace).map(({ metadata }) => [metadata.name, metadata.annotations ?? {}]),
    );
    this.byNamespace = grouped(this.all.map((pods) => [pods.namespace, pods]));
    this.byLabel = grouped(
      this.all.flatMap((pods) =>
        Object.entries(pods.labels).map(([key, value]) => [labelKey(pods.namespace, key, value), pods] as const),
      ),
    );
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
    return candidates.filter(({ labels }) => matchesSelector(known, labels));
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
