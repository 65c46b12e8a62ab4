import { isObject, objectOf } from '#base/is-object';
import { LabelIndex } from '#base/label-index';
import { itemsOf } from '#base/select-fields';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isNamespace } from '#kubernetes/objects/pod-places';
import { isMeshed, namespaceFacts, type PodSet, podSetsOf, type Surroundings } from './pod-sets';
import type { ProxySettings } from './proxy-settings';

/** The pods of a cluster, indexed by labels. */
export class PodIndex implements Surroundings {
  readonly all: readonly PodSet[];
  readonly namespaces: Surroundings['namespaces'];
  private readonly byLabel: LabelIndex<PodSet>;
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
    this.byLabel = new LabelIndex(this.all);
  }

  get settings(): ProxySettings {
    this.found ??= this.findSettings();
    return this.found;
  }

  /** Returns the sets of pods in a namespace. */
  in(namespace: string): readonly PodSet[] {
    return this.byLabel.in(namespace);
  }

  /**
   * Returns the sets of pods that a selector matches in a namespace. Labels that the injector sets match every pod that
   * may be injected.
   */
  select(namespace: string, selector: unknown): readonly PodSet[] {
    const ofInjected = asksForInjected(selector);
    return this.byLabel
      .select(namespace, withoutInjectorLabels(selector), 'everything')
      .filter((pods) => !(ofInjected && isMeshed(pods, this) === false));
  }
}

/** Labels that the proxy injector sets on pods, and that no template has. */
const OF_INJECTOR = /^linkerd\.io\/(?:control-plane-ns|workload-ns|proxy-)/;

function isOfInjector(key: unknown): boolean {
  return typeof key === 'string' && OF_INJECTOR.test(key);
}

function asksForInjected(selector: unknown): boolean {
  if (!isObject(selector)) return false;
  const { matchLabels, matchExpressions } = selector;
  return (
    Object.keys(objectOf(matchLabels)).some(isOfInjector) ||
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
