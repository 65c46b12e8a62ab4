import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import type { LabelSelector } from '#base/label-selector';
import { itemsOf, textIn } from '#base/select-fields';
import { suggest } from '#base/suggest';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import type { PodIndex } from '../../checks/policy/pod-index';
import { isOpaque, numbersOf, type PodPort, type PodSet, podSetsOf } from '../../checks/policy/pod-sets';
import { POLICY_FINDINGS } from './findings';
import { PODS } from './workloads';

/** A port of some pods that policies protect. */
export interface GuardedPort {
  readonly namespace: string;
  /** Name of the Server: the target's name and the port's. */
  readonly name: string;
  /** Selects the pods. */
  readonly selector: LabelSelector;
  /** Number of the port; its name if the number differs between pods or the pods are unknown. */
  readonly port: number | string;
  /** The known pods; empty if a chart creates them. */
  readonly pods: readonly PodSet[];
  /** Skip protocol detection, as annotations of the pods require. */
  readonly isOpaque: boolean;
}

/** Ports to protect, and the problems of finding them. */
export interface FoundPorts {
  readonly ports: readonly GuardedPort[];
  readonly problems: readonly Problem[];
}

interface NamedPort {
  readonly name: string | undefined;
  /** The number of the Service's port, or of the container's. */
  readonly number: number;
  /** The pods' port: a number, or the name of a container port. */
  readonly target: number | string;
}

/**
 * Returns the ports of a Service, or of an object with pods.
 *
 * @param wanted names or numbers of the ports; all ports if undefined
 */
export function guardedPorts(
  object: KubernetesObject,
  wanted: readonly (number | string)[] | undefined,
  index: PodIndex,
): FoundPorts {
  const namespace = namespaceOf(object);
  const selector = selectorOf(object);
  if (wanted !== undefined && (!Array.isArray(wanted) || wanted.length === 0)) {
    return { ports: [], problems: [noPorts(wanted)] };
  }
  const target = describeObject(object);
  if (selector === undefined || isEmpty(selector))
    return {
      ports: [],
      problems: [POLICY_FINDINGS.policyTargetRefusedPods({ target })],
    };
  const isService = isServiceObject(object);
  const pods = index.select(namespace, selector);
  const named = isService ? servicePorts(object) : containerPorts(pods);
  const chosen = wanted === undefined ? named : named.filter((port) => wanted.some((one) => isCalled(port, one)));
  const missing = (wanted ?? []).filter((one) => !named.some((port) => isCalled(port, one)));
  const problems: Problem[] = missing.map((port) => unknownPort(object, port, named));
  if (wanted === undefined && named.length === 0) problems.push(POLICY_FINDINGS.policyTargetRefusedPorts({ target }));
  const ports = chosen.flatMap((port): readonly GuardedPort[] => {
    const found = portOfPods(port.target, pods);
    if (found === undefined) {
      problems.push(undeclaredPort(object, port, pods));
      return [];
    }
    return [
      {
        namespace,
        name: `${object.metadata.name}-${portName(port, named)}`,
        selector,
        port: found,
        pods,
        isOpaque: isOpaqueIn({ namespace, port: found, pods }, index),
      },
    ];
  });
  return { ports: distinctPorts(ports), problems };
}

/** Whether an object is a Service, or pods of `Workloads`, which have the form of one. */
function isServiceObject({ apiVersion, kind }: KubernetesObject): boolean {
  return (kind === 'Service' || kind === PODS) && apiGroup(apiVersion) === '';
}

function selectorOf(object: KubernetesObject): LabelSelector | undefined {
  const { selector } = isObject(object.spec) ? object.spec : {};
  if (isServiceObject(object)) {
    const isAlias = textIn(object.spec, 'type') === 'ExternalName';
    return isAlias || !isObject(selector) ? undefined : { matchLabels: selector as Readonly<Record<string, string>> };
  }
  const [pods] = podSetsOf(object);
  if (pods === undefined) return undefined;
  const isOfLabels = isObject(selector) && (isObject(selector.matchLabels) || Array.isArray(selector.matchExpressions));
  return isOfLabels ? (selector as LabelSelector) : { matchLabels: pods.labels };
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function servicePorts({ spec }: KubernetesObject): readonly NamedPort[] {
  return itemsOf(isObject(spec) ? spec.ports : []).flatMap((port) => {
    if (!isObject(port) || typeof port.port !== 'number') return [];
    if ((textIn(port, 'protocol') ?? 'TCP') !== 'TCP') return [];
    const { targetPort = port.port } = port;
    const target = typeof targetPort === 'number' || typeof targetPort === 'string' ? targetPort : port.port;
    return [{ name: textIn(port, 'name'), number: port.port, target }];
  });
}

function containerPorts(pods: readonly PodSet[]): readonly NamedPort[] {
  const byNumber = new Map<number, PodPort>();
  for (const port of pods.flatMap(({ ports }) => ports)) {
    if (byNumber.get(port.number)?.name === undefined) byNumber.set(port.number, port);
  }
  return [...byNumber.values()].map(({ name, number }) => ({ name, number, target: number }));
}

/** Several containers may have ports of the same name. */
function portName({ name, number }: NamedPort, all: readonly NamedPort[]): string {
  if (name === undefined) return `${number}`;
  return all.filter((one) => one.name === name).length > 1 ? `${name}-${number}` : name;
}

function isCalled({ name, number }: NamedPort, wanted: number | string): boolean {
  return wanted === number || (wanted === name && name !== undefined);
}

/** Returns the port of a Server; undefined if all pods are known and none has it. */
function portOfPods(target: number | string, pods: readonly PodSet[]): number | string | undefined {
  if (pods.length === 0) return target;
  const numbers = new Set(
    pods
      .flatMap(({ ports }) => ports)
      .filter(({ name, number }) => number === target || (name !== undefined && name === target))
      .map(({ number }) => number),
  );
  if (numbers.size === 0) return undefined;
  return numbers.size === 1 ? [...numbers][0] : target;
}

function isOpaqueIn(
  { namespace, port, pods }: Pick<GuardedPort, 'namespace' | 'port' | 'pods'>,
  index: PodIndex,
): boolean {
  // Pods of a chart are unknown, and use the settings of their namespace.
  if (pods.length === 0) return typeof port === 'number' && isOpaque({ annotations: {}, namespace }, port, index);
  return pods.some((one) => numbersOf(port, one).some((number) => isOpaque(one, number, index)));
}

function distinctPorts(ports: readonly GuardedPort[]): readonly GuardedPort[] {
  const byPort = new Map<number | string, GuardedPort>();
  for (const port of ports) if (!byPort.has(port.port)) byPort.set(port.port, port);
  return [...byPort.values()];
}

function noPorts(ports: unknown): Problem {
  return POLICY_FINDINGS.policyValueRefusedList({ field: 'ports', value: shownValue(ports), example: "['http']" });
}

function unknownPort(object: KubernetesObject, port: number | string, known: readonly NamedPort[]): Problem {
  const names = known.map(({ name, number }) => name ?? `${number}`);
  const found = { port: shownValue(port), target: describeObject(object) };
  if (names.length === 0) return POLICY_FINDINGS.policyPortUnknownNone(found);
  const similar = typeof port === 'string' ? suggest(port, names)[0] : undefined;
  return POLICY_FINDINGS.policyPortUnknown({ ...found, known: names.join(', '), similar });
}

function undeclaredPort(
  object: KubernetesObject,
  { name, number, target }: NamedPort,
  pods: readonly PodSet[],
): Problem {
  return POLICY_FINDINGS.policyPortUnknownUndeclared({
    port: `${name ?? number}`,
    service: describeObject(object),
    target: `${target}`,
    workloads: pods.map((one) => describeObject(one.object)).join(' and '),
  });
}
