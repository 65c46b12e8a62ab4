import type { Problem } from '#base/findings/problem';
import { isObject, objectOf } from '#base/is-object';
import { itemsOf, textIn } from '#base/select-fields';
import { type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Reference } from '#kubernetes/objects/references';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import type { LinkerdPart } from '#linkerd/releases/charts';
import type { PodIndex } from '../policy/pod-index';
import { isMeshed, type PodSet } from '../policy/pod-sets';

/** A value with the address or URL of a Service. */
interface EndpointValue {
  readonly at: string;
  /**
   * The value that enables the use of the Service.
   *
   * @default - always used
   */
  readonly when?: string;
}

/** A Service in values, with the port at which it is used. */
interface Endpoint {
  readonly at: string;
  readonly namespace: string;
  readonly name: string;
  readonly port: number | undefined;
}

const TRACING = ['proxy.tracing', 'controller.tracing'];

const ENDPOINTS: Readonly<Partial<Record<LinkerdPart, readonly EndpointValue[]>>> = {
  controlPlane: [
    { at: 'prometheusUrl' },
    ...TRACING.map((of) => ({ at: `${of}.collector.endpoint`, when: `${of}.enabled` })),
  ],
  viz: [{ at: 'prometheusUrl' }, { at: 'grafana.url' }, { at: 'jaegerUrl' }],
  jaeger: [{ at: 'webhook.collectorSvcAddr' }],
};

/** A reference in values, and its path. */
export interface ValueReference {
  readonly field: string;
  readonly reference: Reference;
}

/** Returns the Services and ServiceAccounts that values of a chart name. */
export function valueReferences(part: LinkerdPart, values: Values): readonly ValueReference[] {
  const services = endpointsIn(part, values).map(({ at, namespace, name }): ValueReference => {
    return { field: `values.${at}`, reference: { kind: 'Service', namespace, name } };
  });
  const accounts = part === 'controlPlane' ? TRACING.flatMap((of) => accountIn(values, of)) : [];
  return [...services, ...accounts];
}

function accountIn(values: Values, of: string): readonly ValueReference[] {
  const at = `${of}.collector.meshIdentity`;
  const identity = valueAt(values, at);
  const [name, namespace] = [textIn(identity, 'serviceAccountName'), textIn(identity, 'namespace')];
  if (valueAt(values, `${of}.enabled`) !== true || name === undefined || namespace === undefined) return [];
  return [{ field: `values.${at}`, reference: { kind: 'ServiceAccount', namespace, name } }];
}

function endpointsIn(part: LinkerdPart, values: Values): readonly Endpoint[] {
  return (ENDPOINTS[part] ?? [])
    .filter(({ when }) => when === undefined || valueAt(values, when) === true)
    .flatMap(({ at }) => {
      const text = valueAt(values, at);
      const endpoint = typeof text === 'string' ? serviceIn(text) : undefined;
      return endpoint === undefined ? [] : [{ at, ...endpoint }];
    });
}

const ADDRESS =
  /^(?:(?:https?|grpc):\/\/)?([a-z0-9-]+)\.([a-z0-9-]+)(?:\.svc(?:\.[a-z0-9.-]*)?)?\.?(?::(\d+))?(?:\/.*)?$/;

/** Returns the Service of a name in a cluster's DNS; undefined for other hosts. */
export function serviceIn(address: string): Omit<Endpoint, 'at'> | undefined {
  const [, name, namespace, port] = ADDRESS.exec(address) ?? [];
  if (name === undefined || namespace === undefined) return undefined;
  return { name, namespace, port: port === undefined ? undefined : Number(port) };
}

/** Whether proxies or components of the control plane send traces. */
export function sendsTraces(values: Values): boolean {
  return TRACING.some((of) => valueAt(values, `${of}.enabled`) === true);
}

/**
 * Reports trace collectors in the output to which proxies cannot send: their Service lacks the port, or their pods do
 * not have the identity in the values.
 */
export function checkCollectors(
  values: Values,
  index: PodIndex,
  services: readonly KubernetesObject[],
): readonly Problem[] {
  return endpointsIn('controlPlane', values)
    .filter(({ at }) => at.endsWith('.collector.endpoint'))
    .flatMap((endpoint) => {
      const { namespace, name } = endpoint;
      const service = services.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
      if (service === undefined) return [];
      const spec = objectOf(service.spec);
      const pods = isObject(spec.selector) ? index.select(namespace, { matchLabels: spec.selector }) : [];
      return [...checkPort(endpoint, spec.ports), ...checkIdentity(values, endpoint, pods, index)];
    });
}

function checkPort({ at, port, namespace, name }: Endpoint, ports: unknown): readonly Problem[] {
  const known = itemsOf(ports).flatMap((one) => (isObject(one) && typeof one.port === 'number' ? [one.port] : []));
  if (port === undefined || known.length === 0 || known.includes(port)) return [];
  const found = { path: at, port, service: `${namespace}/${name}`, ports: known.join(', ') };
  return [LINKERD_FINDINGS.collectorRefusedPort(found, { about: `values.${at}` })];
}

function checkIdentity(
  values: Values,
  { at, name, namespace }: Endpoint,
  pods: readonly PodSet[],
  index: PodIndex,
): readonly Problem[] {
  const path = at.replace(/endpoint$/, 'meshIdentity');
  const identity = valueAt(values, path);
  const account = textIn(identity, 'serviceAccountName');
  if (account === undefined) return [];
  const wanted = `${textIn(identity, 'namespace') ?? namespace}/${account}`;
  const found = { path, identity: wanted, service: `${namespace}/${name}` };
  const details = { about: `values.${path}` };
  if (pods.some((one) => isMeshed(one, index) === false)) return [LINKERD_FINDINGS.collectorRefused(found, details)];
  const other = pods.find((one) => `${one.namespace}/${one.account}` !== wanted);
  if (other === undefined) return [];
  const own = `${other.namespace}/${other.account}`;
  return [LINKERD_FINDINGS.collectorRefusedIdentity({ ...found, own }, details)];
}
