import { isObject, objectOf } from '#base/is-object';
import { itemsOf, textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { OPAQUE_PORTS } from '#linkerd/annotations';
import type { PodIndex } from '../policy/pod-index';
import { isAmong, isMeshed, isOpaque, numbersOf, type PodSet, settingOf } from '../policy/pod-sets';
import type { Warning } from '../warnings';
import { MESHED_PODS_FINDINGS } from './findings';

interface ServicePort {
  readonly name: string | undefined;
  readonly port: number;
  readonly target: unknown;
}

/** Whether an object is a Service with opaque ports. */
export function hasOpaquePorts({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  return kind === 'Service' && apiGroup(apiVersion) === '' && textIn(metadata.annotations, OPAQUE_PORTS) !== undefined;
}

/**
 * Warns about opaque ports that the Service does not have, or at which its pods detect protocols.
 *
 * @param servers - the opaque Servers, which also make ports of pods opaque
 */
export function opaquePortWarnings(
  service: KubernetesObject,
  index: PodIndex,
  servers: readonly KubernetesObject[],
): readonly Warning[] {
  const list = textIn(service.metadata.annotations, OPAQUE_PORTS)?.trim() ?? '';
  const ports = portsOf(service);
  if (list === '' || ports.length === 0) return [];
  const names = list.split(',').map((entry) => entry.trim());
  const opaque = ports.filter(({ port, name }) => isAmong(list, port) || (name !== undefined && names.includes(name)));
  const found = { service: describeObject(service) };
  if (opaque.length === 0) {
    const own = ports.map(({ port }) => port).join(', ');
    return [MESHED_PODS_FINDINGS.opaquePortsWithoutEffect({ ...found, ports: list, own })];
  }
  const pods = podsOf(service, index).filter((one) => isMeshed(one, index) === true && !isOpened(one, index, servers));
  const [first] = opaque.flatMap(({ port, target }) =>
    pods.flatMap((one) => {
      const detected = numbersOf(target, one).find(
        (number) => !isOpaque(one, number, index) && !isDefault(one, number, index),
      );
      const parameters = { ...found, port: `${port}`, target: `${detected}`, pods: describeObject(one.object) };
      return detected === undefined
        ? []
        : [MESHED_PODS_FINDINGS.opaquePortsWithoutEffectPods({ ...parameters, annotation: OPAQUE_PORTS })];
    }),
  );
  return first === undefined ? [] : [first];
}

function portsOf({ spec }: KubernetesObject): readonly ServicePort[] {
  return itemsOf(objectOf(spec).ports).flatMap((one) => {
    if (!isObject(one) || typeof one.port !== 'number') return [];
    const target = one.targetPort === undefined || one.targetPort === 0 ? one.port : one.targetPort;
    return [{ name: textIn(one, 'name'), port: one.port, target }];
  });
}

function podsOf(service: KubernetesObject, index: PodIndex): readonly PodSet[] {
  const { selector } = objectOf(service.spec);
  const isSelecting = isObject(selector) && Object.keys(selector).length > 0;
  return isSelecting ? index.select(namespaceOf(service), { matchLabels: selector }) : [];
}

/** Whether a port would be opaque by default if a container declared it: containers may listen on undeclared ports. */
function isDefault(pods: PodSet, port: number, index: PodIndex): boolean {
  return settingOf(pods, OPAQUE_PORTS, index) === undefined && isAmong(index.settings.opaquePorts, port);
}

function isOpened(pods: PodSet, index: PodIndex, servers: readonly KubernetesObject[]): boolean {
  return servers
    .filter((server) => namespaceOf(server) === pods.namespace)
    .some(({ spec }) => index.select(pods.namespace, objectOf(spec).podSelector).includes(pods));
}
