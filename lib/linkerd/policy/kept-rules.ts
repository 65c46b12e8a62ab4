import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
import { describeObject, type KubernetesObject, namespaceOf } from '../../kubernetes/kubernetes-object';
import { isNamespace } from '../../kubernetes/pod-places';
import { apiGroup } from '../../kubernetes/scope';
import { isObject, itemsOf, textIn } from '../../kubernetes/select-fields';
import { DEFAULT_INBOUND_POLICY, REQUIRE_IDENTITY_INBOUND_PORTS } from '../annotations';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { type Guards, isControlPlane, isOfLinkerd, isOpen } from './guards';
import { ownPort, type Unkept, undoneDefault, unkeptAt, unkeptTo, unmeshed } from './kept';
import { GLOBAL_EGRESS_NAMESPACE } from './namespace-warnings';
import { type PodSet, requiresIdentity } from './pod-sets';
import { admissionsOfMode } from './policy-objects';

/** Reports pods whose proxies do not keep the policies on their ports. */
export function checkKept(pods: PodSet, guards: Guards): readonly Warning[] {
  if (isControlPlane(pods) || isOfLinkerd(pods.object)) return [];
  const byServer = new Map<string, Unkept>();
  for (const [port, servers] of guards.byPods.get(pods) ?? []) {
    const found = unkeptByServer(pods, port, guards);
    if (found === undefined) continue;
    for (const { object } of servers) if (!isOfLinkerd(object)) byServer.set(describeObject(object), found);
  }
  return [
    ...[...byServer].map(([server, found]) => notKept(server, pods.object, found, ANY_CLIENT)),
    ...checkDefaultKept(pods, guards),
  ];
}

/** Reports ports at which pods ask for clients with an identity, and a policy lets in those without one. */
export function checkRequiredIdentity(pods: PodSet, guards: Guards): readonly Problem[] {
  if (isControlPlane(pods)) return [];
  return pods.ports.flatMap(({ number }) => {
    if (!requiresIdentity(pods, number, guards.index)) return [];
    const guard = guards.guardOf(pods, number);
    if (guard === undefined || !admissionsOfMode(guard.mode).some(isOpen)) return [];
    const policy =
      guard.server === undefined
        ? `The default policy ${guard.mode}`
        : `${describeObject(guard.server.object)}, with accessPolicy: ${guard.mode},`;
    return [
      LINKERD_POLICY_FINDINGS.requiredIdentityOverridden({
        policy,
        port: number,
        object: describeObject(pods.object),
        annotation: REQUIRE_IDENTITY_INBOUND_PORTS,
        setting:
          guard.server === undefined
            ? "mode: 'all-authenticated' of defaultDeny"
            : "accessPolicy: all-authenticated (mode: 'deny' of meshing.allow)",
      }),
    ];
  });
}

function unkeptByServer(pods: PodSet, port: number, { index }: Guards): Unkept | undefined {
  // A wide selector finds pods that have nothing to do with the port.
  const isServed = pods.ports.length === 0 || pods.ports.some(({ number }) => number === port);
  return ownPort(pods, port, index) ?? (isServed ? unkeptAt(pods, port, index) : undefined);
}

/** Reports pods that do not have the default policy that their namespace, or they themselves, ask for. */
function checkDefaultKept(pods: PodSet, guards: Guards): readonly Warning[] {
  const { index } = guards;
  const ofNamespace = index.namespaces.get(pods.namespace)?.annotations[DEFAULT_INBOUND_POLICY];
  const policy = ofNamespace ?? pods.annotations[DEFAULT_INBOUND_POLICY];
  if (policy === undefined || policy === OPEN) return [];
  const byDefault = pods.ports.filter(({ number }) => !guards.byPods.get(pods)?.has(number));
  if (byDefault.length === 0) return [];
  const [found] = [undoneDefault(pods, policy), ...byDefault.map(({ number }) => unkeptAt(pods, number, index))].filter(
    (one) => one !== undefined,
  );
  const whose = ofNamespace === undefined ? describeObject(pods.object) : `namespace ${pods.namespace}`;
  return found === undefined
    ? []
    : [notKept(`The default policy ${policy} of ${whose}`, pods.object, found, ANY_CLIENT)];
}

const OPEN = 'all-unauthenticated';

/** Reports a default policy of a namespace in which no pod has a proxy. */
export function checkNamespaceKept(object: KubernetesObject, { index }: Guards): readonly Warning[] {
  const policy = isNamespace(object) ? object.metadata.annotations?.[DEFAULT_INBOUND_POLICY] : undefined;
  const pods = index.in(object.metadata.name);
  // Pods with ports are reported one by one.
  if (policy === undefined || policy === OPEN || pods.some(({ ports }) => ports.length > 0)) return [];
  const found = withoutAnyProxy(pods, index);
  return found === undefined
    ? []
    : [
        notKept(
          `The default policy ${policy} of namespace ${object.metadata.name}`,
          found.pods.object,
          found,
          ANY_CLIENT,
        ),
      ];
}

/** Reports pods whose connections to elsewhere an EgressNetwork is about, and whose proxies do not see them. */
export function checkEgressKept(object: KubernetesObject, guards: Guards): readonly Warning[] {
  const isEgress = object.kind === 'EgressNetwork' && apiGroup(object.apiVersion) === GROUP;
  const namespace = namespaceOf(object);
  if (!isEgress || namespace === GLOBAL_EGRESS_NAMESPACE) return [];
  const { index } = guards;
  const denies = textIn(object.spec, 'trafficPolicy') === 'Deny';
  const ports = [...(denies ? HTTP_PORTS : []), ...portsOfRoutes(object, guards)];
  const pods = index.in(namespace).filter((one) => !isControlPlane(one) && !isOfLinkerd(one.object));
  const found = pods.flatMap((one) => {
    const unkept = unkeptTo(one, ports, index);
    return unkept === undefined ? [] : [{ ...unkept, pods: one }];
  });
  // What is only counted may leave out some pods.
  const reported = denies ? found : found.length === pods.length ? found.slice(0, 1) : [];
  return reported.map((one) =>
    notKept(
      describeObject(object),
      one.pods.object,
      one,
      'its connections to hosts outside of the cluster are neither refused nor counted',
    ),
  );
}

const GROUP = 'policy.linkerd.io';

/** Ports that programs reach hosts of elsewhere by, whether a route names them or not. */
const HTTP_PORTS: readonly number[] = [80, 443];

function portsOfRoutes(network: KubernetesObject, { objects }: Guards): readonly number[] {
  return objects
    .filter(
      ({ object: { kind, metadata } }) => kind.endsWith('Route') && metadata.namespace === network.metadata.namespace,
    )
    .flatMap(({ object: { spec } }) => itemsOf(isObject(spec) ? spec.parentRefs : []))
    .filter((ref) => textIn(ref, 'kind') === 'EgressNetwork' && textIn(ref, 'name') === network.metadata.name)
    .flatMap((ref) => (isObject(ref) && typeof ref.port === 'number' ? [ref.port] : []));
}

function withoutAnyProxy(
  all: readonly PodSet[],
  around: Guards['index'],
): (Unkept & { readonly pods: PodSet }) | undefined {
  const found = all.flatMap((pods) => {
    const unkept = unmeshed(pods, around);
    return unkept === undefined ? [] : [{ ...unkept, pods }];
  });
  return found.length === all.length ? found[0] : undefined;
}

const ANY_CLIENT = 'any client reaches the port, in the mesh or not';

function notKept(policy: string, object: KubernetesObject, { because, fix }: Unkept, consequence: string): Warning {
  return LINKERD_POLICY_FINDINGS.policyNotKept({
    policy,
    object: describeObject(object),
    because,
    consequence,
    remedy: fix,
  });
}
