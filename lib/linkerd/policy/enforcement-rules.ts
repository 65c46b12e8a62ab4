import type { Problem } from '../../kubernetes/findings/problem';
import { describeObject, type KubernetesObject, namespaceOf } from '../../kubernetes/kubernetes-object';
import { containsNetwork } from '../../kubernetes/networks';
import { isNamespace } from '../../kubernetes/pod-places';
import { apiGroup } from '../../kubernetes/scope';
import { isObject, itemsOf, textIn } from '../../kubernetes/select-fields';
import {
  CONTROL_PORT,
  DEFAULT_INBOUND_POLICY,
  INBOUND_PORT,
  INJECT,
  REQUIRE_IDENTITY_INBOUND_PORTS,
  SKIP_INBOUND_PORTS,
  SKIP_OUTBOUND_PORTS,
  SKIP_SUBNETS,
} from '../annotations';
import type { Warning } from '../warnings';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { type Guards, isControlPlane, isOfLinkerd, isOpen } from './guards';
import { GLOBAL_EGRESS_NAMESPACE } from './namespace-warnings';
import {
  isAmong,
  isMeshed,
  isSkipped,
  NEVER_INJECTED,
  type PodSet,
  requiresIdentity,
  type Surroundings,
  settingOf,
} from './pod-sets';
import { admissionsOfMode } from './policy-objects';
import { EVERYWHERE } from './proxy-settings';

/** Reports pods whose proxies do not enforce the policies on their ports. */
export function checkServersEnforced(pods: PodSet, guards: Guards): readonly Warning[] {
  if (isControlPlane(pods) || isOfLinkerd(pods.object)) return [];
  const byServer = new Map<string, Unenforced>();
  for (const [port, servers] of guards.byPods.get(pods) ?? []) {
    const found = unenforcedByServer(pods, port, guards);
    if (found === undefined) continue;
    for (const { object } of servers) if (!isOfLinkerd(object)) byServer.set(describeObject(object), found);
  }
  return [
    ...[...byServer].map(([server, found]) => notEnforced(server, pods.object, found, ANY_CLIENT)),
    ...checkDefaultEnforced(pods, guards),
  ];
}

/** Reports ports at which pods require clients with an identity, but a policy allows clients without one. */
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

function unenforcedByServer(pods: PodSet, port: number, { index }: Guards): Unenforced | undefined {
  // A wide selector matches pods that do not serve the port.
  const isServed = pods.ports.length === 0 || pods.ports.some(({ number }) => number === port);
  return ownPort(pods, port, index) ?? (isServed ? unenforcedAt(pods, port, index) : undefined);
}

/** Reports pods without the default policy that their namespace, or they themselves, set. */
function checkDefaultEnforced(pods: PodSet, guards: Guards): readonly Warning[] {
  const { index } = guards;
  const ofNamespace = index.namespaces.get(pods.namespace)?.annotations[DEFAULT_INBOUND_POLICY];
  const policy = ofNamespace ?? pods.annotations[DEFAULT_INBOUND_POLICY];
  if (policy === undefined || policy === OPEN) return [];
  const byDefault = pods.ports.filter(({ number }) => !guards.byPods.get(pods)?.has(number));
  if (byDefault.length === 0) return [];
  const [found] = [
    undoneDefault(pods, policy),
    ...byDefault.map(({ number }) => unenforcedAt(pods, number, index)),
  ].filter((one) => one !== undefined);
  const whose = ofNamespace === undefined ? describeObject(pods.object) : `namespace ${pods.namespace}`;
  return found === undefined
    ? []
    : [notEnforced(`The default policy ${policy} of ${whose}`, pods.object, found, ANY_CLIENT)];
}

const OPEN = 'all-unauthenticated';

/** Reports a default policy of a namespace without any meshed pods. */
export function checkNamespaceEnforced(object: KubernetesObject, { index }: Guards): readonly Warning[] {
  const policy = isNamespace(object) ? object.metadata.annotations?.[DEFAULT_INBOUND_POLICY] : undefined;
  const pods = index.in(object.metadata.name);
  // Pods with ports are reported individually.
  if (policy === undefined || policy === OPEN || pods.some(({ ports }) => ports.length > 0)) return [];
  const found = withoutAnyProxy(pods, index);
  return found === undefined
    ? []
    : [
        notEnforced(
          `The default policy ${policy} of namespace ${object.metadata.name}`,
          found.pods.object,
          found,
          ANY_CLIENT,
        ),
      ];
}

/** Reports pods whose outgoing connections match an EgressNetwork, but bypass their proxies. */
export function checkEgressEnforced(object: KubernetesObject, guards: Guards): readonly Warning[] {
  const isEgress = object.kind === 'EgressNetwork' && apiGroup(object.apiVersion) === GROUP;
  const namespace = namespaceOf(object);
  if (!isEgress || namespace === GLOBAL_EGRESS_NAMESPACE) return [];
  const { index } = guards;
  const denies = textIn(object.spec, 'trafficPolicy') === 'Deny';
  const ports = [...(denies ? HTTP_PORTS : []), ...portsOfRoutes(object, guards)];
  const pods = index.in(namespace).filter((one) => !isControlPlane(one) && !isOfLinkerd(one.object));
  const found = pods.flatMap((one) => {
    const unenforced = unenforcedTo(one, ports, index);
    return unenforced === undefined ? [] : [{ ...unenforced, pods: one }];
  });
  // A network that only counts may miss some pods.
  const reported = denies ? found : found.length === pods.length ? found.slice(0, 1) : [];
  return reported.map((one) =>
    notEnforced(
      describeObject(object),
      one.pods.object,
      one,
      'its connections to hosts outside of the cluster are neither refused nor counted',
    ),
  );
}

const GROUP = 'policy.linkerd.io';

/** Usual ports of external hosts, whether a route names them or not. */
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
): (Unenforced & { readonly pods: PodSet }) | undefined {
  const found = all.flatMap((pods) => {
    const unenforced = unmeshed(pods, around);
    return unenforced === undefined ? [] : [{ ...unenforced, pods }];
  });
  return found.length === all.length ? found[0] : undefined;
}

const ANY_CLIENT = 'any client reaches the port, in the mesh or not';

function notEnforced(
  policy: string,
  object: KubernetesObject,
  { because, fix }: Unenforced,
  consequence: string,
): Warning {
  return LINKERD_POLICY_FINDINGS.policyNotEnforced({
    policy,
    object: describeObject(object),
    because,
    consequence,
    remedy: fix,
  });
}

/** The reason why the proxies of pods do not enforce a policy. */
interface Unenforced {
  /** Continues a sentence that starts with the name of the object. */
  readonly because: string;
  /** An imperative. */
  readonly fix: string;
}

/** Returns the reason why no proxy enforces a policy on a port of pods; undefined if one does, or if it is unknown. */
function unenforcedAt(pods: PodSet, port: number, around: Surroundings): Unenforced | undefined {
  return (
    unmeshed(pods, around) ??
    ownPort(pods, port, around) ??
    skippedInbound(pods, port, around) ??
    skippedSubnet(pods, around)
  );
}

/** Returns the reason why pods have no proxy; undefined if they have one, or if it is unknown. */
export function unmeshed(pods: PodSet, around: Surroundings): Unenforced | undefined {
  if (isMeshed(pods, around) !== false) return undefined;
  const { namespace, annotations, hostNetwork } = pods;
  if (hostNetwork) return { because: 'has hostNetwork: true, which Linkerd never injects', fix: 'remove hostNetwork' };
  const known = around.namespaces.get(namespace);
  if (NEVER_INJECTED.includes(namespace) || known?.isSeen === false) {
    return {
      because: `is in the namespace ${namespace}, which the proxy injector ignores`,
      fix: 'move it to another namespace',
    };
  }
  const own = annotations[INJECT] ?? '';
  if (own !== '') return { because: `has ${INJECT}: ${own}`, fix: `mesh it: ${INJECT}: enabled, or meshing.inject` };
  return {
    because: `is in the namespace ${namespace}, which is not meshed`,
    fix: `mesh it: meshing.inject, or meshing.namespace('${namespace}')`,
  };
}

/** Returns the reason why a port belongs to the proxy itself instead of the application. */
function ownPort(pods: PodSet, port: number, around: Surroundings): Unenforced | undefined {
  const inboundPort = Number(settingOf(pods, INBOUND_PORT, around) ?? around.settings.inboundPort);
  const controlPort = Number(settingOf(pods, CONTROL_PORT, around) ?? around.settings.controlPort);
  if (port !== inboundPort && port !== controlPort) return undefined;
  return {
    because: `does not serve port ${port} itself: ${port === inboundPort ? 'its proxy accepts all redirected connections there' : 'its proxy is tapped there'}`,
    fix: 'name the port that the application listens on',
  };
}

function skippedInbound(pods: PodSet, port: number, around: Surroundings): Unenforced | undefined {
  if (!isSkipped(pods, port, around)) return undefined;
  const { place, fix } = sourceOf(pods, around, {
    annotation: SKIP_INBOUND_PORTS,
    prop: 'skipInboundPorts',
    value: 'proxyInit.ignoreInboundPorts',
  });
  return { because: `has port ${port} bypass its proxy, by ${place}`, fix: `remove ${port} from ${fix}` };
}

/**
 * Returns the reason for networks whose clients bypass the proxy; those of the nodes are expected among them, for
 * probes.
 */
function skippedSubnet(pods: PodSet, around: Surroundings): Unenforced | undefined {
  const { skippedSubnets, probeNetworks } = around.settings;
  const nodes = probeNetworks.filter((network) => !EVERYWHERE.includes(network));
  const subnet = (settingOf(pods, SKIP_SUBNETS, around) ?? skippedSubnets)
    .split(',')
    .map((one) => one.trim())
    .find((one) => one !== '' && !nodes.some((network) => containsNetwork(network, one)));
  if (subnet === undefined) return undefined;
  const { place, fix } = sourceOf(pods, around, {
    annotation: SKIP_SUBNETS,
    prop: 'skipSubnets',
    value: 'proxyInit.skipSubnets',
  });
  return {
    because: `has clients from ${subnet} bypass its proxy, by ${place}`,
    fix: `remove ${subnet} from ${fix}, or add it to nodeNetworks of LinkerdMesh if only nodes have these addresses`,
  };
}

/** Returns the reason why connections of pods to an external port bypass their proxies, or why they have none. */
function unenforcedTo(pods: PodSet, ports: readonly number[], around: Surroundings): Unenforced | undefined {
  const without = unmeshed(pods, around);
  if (without !== undefined) return without;
  const skipped = settingOf(pods, SKIP_OUTBOUND_PORTS, around) ?? around.settings.skippedOutbound;
  const port = ports.find((one) => isAmong(skipped, one));
  if (port === undefined) return undefined;
  const { place, fix } = sourceOf(pods, around, {
    annotation: SKIP_OUTBOUND_PORTS,
    prop: 'skipOutboundPorts',
    value: 'proxyInit.ignoreOutboundPorts',
  });
  return {
    because: `has connections to port ${port} bypass its proxy, by ${place}`,
    fix: `remove ${port} from ${fix}`,
  };
}

/** Returns where a list of ports is set: at the pods, their namespace, or the mesh. */
function sourceOf(
  { annotations, namespace }: PodSet,
  { namespaces }: Surroundings,
  { annotation, prop, value }: Readonly<Record<'annotation' | 'prop' | 'value', string>>,
): { readonly place: string; readonly fix: string } {
  if (annotations[annotation] !== undefined) {
    return { place: `its annotation ${annotation}`, fix: `${annotation} of its pods (${prop} of meshing.inject)` };
  }
  if (namespaces.get(namespace)?.annotations[annotation] !== undefined) {
    return {
      place: `the annotation ${annotation} of its namespace`,
      fix: `${annotation} of the namespace ${namespace} (${prop} of meshing.namespace)`,
    };
  }
  return { place: `${value} of the mesh`, fix: `${value} in the values of LinkerdControlPlane` };
}

/** The default policies that allow clients without an identity. */
const WITHOUT_IDENTITY: readonly string[] = ['all-unauthenticated', 'audit', 'cluster-unauthenticated'];

/** Returns the reason why pods do not have the default policy of their namespace: their own allows any client. */
function undoneDefault({ annotations }: PodSet, ofNamespace: string): Unenforced | undefined {
  const own = annotations[DEFAULT_INBOUND_POLICY];
  if (own === undefined || !WITHOUT_IDENTITY.includes(own) || WITHOUT_IDENTITY.includes(ofNamespace)) return undefined;
  return {
    because: `has ${DEFAULT_INBOUND_POLICY}: ${own} itself`,
    fix: `remove the annotation (defaultInboundPolicy of meshing.inject), or write ${ofNamespace}`,
  };
}
