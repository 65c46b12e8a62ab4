import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject, objectOf } from '#base/is-object';
import { itemsOf, textIn } from '#base/select-fields';
import { checkDnsLabel, checkLabelKey, checkLabelValue, checkPort } from '#kubernetes/names';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { FREE, keysOf, LIST, unknownKeys } from '#kubernetes/options/known-keys';
import { POLICY_FINDINGS } from './findings';

/** Pods that another repository or a chart creates. */
export interface SelectedPods {
  /** Namespace of the pods. */
  readonly namespace: string;
  /** Labels that the pods have, such as those in the selector of their Deployment. */
  readonly labels: Readonly<Record<string, string>>;
  /** Ports of their containers, by number or name. */
  readonly ports: readonly (number | string)[];
  /**
   * Beginning of the names of their policies.
   *
   * @default - the value of the label `app.kubernetes.io/name` or `app`, or else the values of all labels
   */
  readonly name?: string;
}

/** The manifest of a Service: the output of `kubectl get service api -o json`, or a file of another repository. */
export interface ServiceManifest {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly {
      readonly name?: string;
      readonly port: number;
      readonly targetPort?: number | string;
      readonly protocol?: string;
    }[];
  };
}

/** Workloads without a construct: see `Workloads`. */
export type WorkloadGroup =
  | { readonly kind: 'pods'; readonly pods: SelectedPods }
  | { readonly kind: 'service'; readonly service: ServiceManifest };

/** Targets of policies that another repository or a chart creates, for example services of other teams. */
export const Workloads = {
  /**
   * The pods with these labels.
   *
   * @example
   * meshing.allow(Workloads.select({ namespace: 'shop', labels: { app: 'api' }, ports: [8080] }), { from: [] });
   */
  select: (pods: SelectedPods): WorkloadGroup => ({ kind: 'pods', pods }),

  /**
   * The pods of a Service, by its manifest.
   *
   * @example
   * meshing.allow(Workloads.fromService({
   *   metadata: { namespace: 'shop', name: 'api' },
   *   spec: { selector: { app: 'api' }, ports: [{ port: 80 }] },
   * }), { from: [web] });
   */
  fromService: (service: ServiceManifest): WorkloadGroup => ({ kind: 'service', service }),
} as const;

/** Kind of the internal object that represents selected pods. */
export const PODS = 'Pods';

const SELECTED = keysOf<SelectedPods>({ namespace: true, labels: FREE, ports: LIST, name: true });

/** The object that a policy reads instead of a construct, or the problems of a reference. */
export interface ReadWorkloads {
  readonly object?: KubernetesObject;
  readonly problems: readonly Problem[];
}

/** Reads the target of a policy that is not a construct. JavaScript may pass any value. */
export function readWorkloads(target: unknown): ReadWorkloads {
  if (!isObject(target)) return { problems: [noTarget(target)] };
  const { kind, pods, service } = target as Partial<Record<string, unknown>>;
  if (kind === 'pods' && isObject(pods)) return readPods(pods as unknown as SelectedPods);
  return kind === 'service' ? readService(service) : { problems: [noTarget(target)] };
}

function readPods(pods: SelectedPods): ReadWorkloads {
  const { namespace, labels, ports, name = nameOf(labels) } = pods;
  const unknown = unknownKeys(SELECTED, pods, 'Workloads.select');
  const isSelector =
    isObject(labels) &&
    Object.keys(labels).length > 0 &&
    Object.values(labels).every((value) => typeof value === 'string');
  const problems = [
    ...unknown,
    ...checkDnsLabel('namespace of Workloads.select', namespace),
    ...(isSelector ? checkLabels(labels) : [wrong('labels of Workloads.select', labels, "{ app: 'api' }")]),
    ...(isSelector ? checkDnsLabel('name of Workloads.select', name) : []),
    ...checkList('ports of Workloads.select', ports),
  ];
  if (problems.length > 0) return { problems };
  const named = ports.map((port) => ({
    ...(typeof port === 'string' && { name: port }),
    port: portNumber(port),
    targetPort: port,
  }));
  return {
    object: { apiVersion: 'v1', kind: PODS, metadata: { namespace, name }, spec: { selector: labels, ports: named } },
    problems,
  };
}

function checkLabels(labels: Readonly<Record<string, string>>): readonly Problem[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...checkLabelKey('labels of Workloads.select', key),
    ...checkLabelValue(`labels of Workloads.select, ${key},`, value),
  ]);
}

/** Returns 0 for a port that is given by its name. */
function portNumber(port: number | string): number {
  return typeof port === 'number' ? port : 0;
}

function nameOf(labels: unknown): string {
  if (!isObject(labels)) return '';
  const name = textIn(labels, 'app.kubernetes.io/name') ?? textIn(labels, 'app');
  return (name ?? Object.values(labels).join('-')).toLowerCase().replace(/[^a-z0-9-]+/g, '-');
}

function checkList(field: string, ports: unknown): readonly Problem[] {
  const list = Array.isArray(ports) ? itemsOf(ports) : [];
  if (list.length === 0) return [wrong(field, ports, "[8080] or ['http']")];
  return list.flatMap((port, index) => {
    if (typeof port === 'number') return checkPort(`${field}[${index}]`, port);
    return typeof port === 'string' && port !== '' ? [] : [wrong(`${field}[${index}]`, port, "8080 or 'http'")];
  });
}

function readService(service: unknown): ReadWorkloads {
  const { metadata, spec } = objectOf(service);
  const [name, namespace] = [textIn(metadata, 'name'), textIn(metadata, 'namespace')];
  const { selector, ports } = objectOf(spec);
  const isWhole = isObject(selector) && Array.isArray(ports) && name !== undefined && namespace !== undefined;
  if (!isWhole) {
    const example = '{ metadata: { name, namespace }, spec: { selector, ports } }';
    return { problems: [wrong('The argument of Workloads.fromService', service, example)] };
  }
  const problems = [
    ...checkDnsLabel('metadata.namespace of Workloads.fromService', namespace),
    ...checkDnsLabel('metadata.name of Workloads.fromService', name),
  ];
  return {
    object: { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name }, spec: { selector, ports } },
    problems,
  };
}

function wrong(field: string, value: unknown, example: string): Problem {
  return POLICY_FINDINGS.policyValueRefusedWorkloads({ field, value: shownValue(value), example });
}

function noTarget(target: unknown): Problem {
  const [namespace, name, ...more] = typeof target === 'string' ? target.split('/') : [];
  const isPlace = namespace !== undefined && name !== undefined && more.length === 0 && name !== '';
  return POLICY_FINDINGS.policyTargetRefusedReference({
    value: shownValue(target),
    namespace: isPlace ? namespace : 'shop',
    name: isPlace ? name : 'api',
  });
}
