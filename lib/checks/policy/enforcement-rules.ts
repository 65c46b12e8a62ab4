import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { containsNetwork } from '#base/networks';
import { itemsOf, textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { isNamespace } from '#kubernetes/objects/pod-places';
import { apiGroup } from '#kubernetes/objects/scope';
import {
  CONTROL_PORT,
  DEFAULT_INBOUND_POLICY,
  INBOUND_PORT,
  INJECT,
  REQUIRE_IDENTITY_INBOUND_PORTS,
  SKIP_INBOUND_PORTS,
  SKIP_OUTBOUND_PORTS,
  SKIP_SUBNETS,
} from '#linkerd/annotations';
import { POLICY_GROUP } from '#linkerd/api-groups';
import type { Warning } from '../warnings';
import { LINKERD_POLICY_FINDINGS, type UnenforcedPolicy } from './findings';
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
    ...[...byServer].map(([policy, found]) => found({ policy, object: describeObject(pods.object), of: 'clients' })),
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
    const found = {
      mode: `${guard.mode}`,
      port: number,
      object: describeObject(pods.object),
      annotation: REQUIRE_IDENTITY_INBOUND_PORTS,
    };
    return [
      guard.server === undefined
        ? LINKERD_POLICY_FINDINGS.requiredIdentityOverriddenDefault(found)
        : LINKERD_POLICY_FINDINGS.requiredIdentityOverriddenServer({
            ...found,
            server: describeObject(guard.server.object),
          }),
    ];
  });
}

function unenforcedByServer(pods: PodSet, port: number, { index }: Guards): Unenforced | undefined {
  // A broad selector may match pods that do not serve the port.
  const isServed = pods.ports.length === 0 || pods.ports.some(({ number }) => number === port);
  return ownPort(pods, port, index) ?? (isServed ? unenforcedAt(pods, port, index) : undefined);
}

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
    : [found({ policy: defaultPolicy(policy, whose), object: describeObject(pods.object), of: 'clients' })];
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
        found.reason({
          policy: defaultPolicy(policy, `namespace ${object.metadata.name}`),
          object: describeObject(found.pods.object),
          of: 'clients',
        }),
      ];
}

function defaultPolicy(policy: string, whose: string): string {
  return `The default policy ${policy} of ${whose}`;
}

/** Reports pods whose outgoing connections match an EgressNetwork, but bypass their proxies. */
export function checkEgressEnforced(object: KubernetesObject, guards: Guards): readonly Warning[] {
  const isEgress = object.kind === 'EgressNetwork' && apiGroup(object.apiVersion) === POLICY_GROUP;
  const namespace = namespaceOf(object);
  if (!isEgress || namespace === GLOBAL_EGRESS_NAMESPACE) return [];
  const { index } = guards;
  const denies = textIn(object.spec, 'trafficPolicy') === 'Deny';
  const ports = [...(denies ? HTTP_PORTS : []), ...portsOfRoutes(object, guards)];
  const pods = index.in(namespace).filter((one) => !isControlPlane(one) && !isOfLinkerd(one.object));
  const found = pods.flatMap((one) => {
    const reason = unenforcedTo(one, ports, index);
    return reason === undefined ? [] : [{ reason, pods: one }];
  });
  // A network that only counts connections may miss some pods.
  const reported = denies ? found : found.length === pods.length ? found.slice(0, 1) : [];
  return reported.map((one) =>
    one.reason({ policy: describeObject(object), object: describeObject(one.pods.object), of: 'connections' }),
  );
}

/** Usual ports of external hosts, also without a route. */
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
): { readonly reason: Unenforced; readonly pods: PodSet } | undefined {
  const found = all.flatMap((pods) => {
    const reason = unmeshed(pods, around);
    return reason === undefined ? [] : [{ reason, pods }];
  });
  return found.length === all.length ? found[0] : undefined;
}

type Unenforced = (policy: UnenforcedPolicy) => Warning;

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
  if (hostNetwork) return LINKERD_POLICY_FINDINGS.policyNotEnforcedHostNetwork;
  const known = around.namespaces.get(namespace);
  if (NEVER_INJECTED.includes(namespace) || known?.isSeen === false) {
    return (policy) => LINKERD_POLICY_FINDINGS.policyNotEnforcedNeverInjected({ ...policy, namespace });
  }
  const own = annotations[INJECT] ?? '';
  return own === ''
    ? (policy) => LINKERD_POLICY_FINDINGS.policyNotEnforcedNotMeshed({ ...policy, namespace })
    : (policy) => LINKERD_POLICY_FINDINGS.policyNotEnforcedInjection({ ...policy, annotation: INJECT, value: own });
}

function ownPort(pods: PodSet, port: number, around: Surroundings): Unenforced | undefined {
  const inboundPort = Number(settingOf(pods, INBOUND_PORT, around) ?? around.settings.inboundPort);
  const controlPort = Number(settingOf(pods, CONTROL_PORT, around) ?? around.settings.controlPort);
  if (port !== inboundPort && port !== controlPort) return undefined;
  return (policy) =>
    port === inboundPort
      ? LINKERD_POLICY_FINDINGS.policyNotEnforcedInboundPort({ ...policy, port })
      : LINKERD_POLICY_FINDINGS.policyNotEnforcedControlPort({ ...policy, port });
}

function skippedInbound(pods: PodSet, port: number, around: Surroundings): Unenforced | undefined {
  if (!isSkipped(pods, port, around)) return undefined;
  const setting = settingPlace(pods, around, {
    annotation: SKIP_INBOUND_PORTS,
    prop: 'skipInboundPorts',
    value: 'proxyInit.ignoreInboundPorts',
  });
  return (policy) => LINKERD_POLICY_FINDINGS.policyNotEnforcedPortSkipped({ ...policy, port, setting });
}

/** Returns the reason if subnets other than those of nodes, which send probes, bypass the proxy. */
function skippedSubnet(pods: PodSet, around: Surroundings): Unenforced | undefined {
  const { skippedSubnets, probeNetworks } = around.settings;
  const nodes = probeNetworks.filter((network) => !EVERYWHERE.includes(network));
  const subnet = (settingOf(pods, SKIP_SUBNETS, around) ?? skippedSubnets)
    .split(',')
    .map((one) => one.trim())
    .find((one) => one !== '' && !nodes.some((network) => containsNetwork(network, one, { bare: true })));
  if (subnet === undefined) return undefined;
  const setting = settingPlace(pods, around, {
    annotation: SKIP_SUBNETS,
    prop: 'skipSubnets',
    value: 'proxyInit.skipSubnets',
  });
  return (policy) => LINKERD_POLICY_FINDINGS.policyNotEnforcedSubnetSkipped({ ...policy, subnet, setting });
}

function unenforcedTo(pods: PodSet, ports: readonly number[], around: Surroundings): Unenforced | undefined {
  const without = unmeshed(pods, around);
  if (without !== undefined) return without;
  const skipped = settingOf(pods, SKIP_OUTBOUND_PORTS, around) ?? around.settings.skippedOutbound;
  const port = ports.find((one) => isAmong(skipped, one));
  if (port === undefined) return undefined;
  const setting = settingPlace(pods, around, {
    annotation: SKIP_OUTBOUND_PORTS,
    prop: 'skipOutboundPorts',
    value: 'proxyInit.ignoreOutboundPorts',
  });
  return (policy) => LINKERD_POLICY_FINDINGS.policyNotEnforcedConnectionsSkipped({ ...policy, port, setting });
}

function settingPlace(
  { annotations, namespace }: PodSet,
  { namespaces }: Surroundings,
  { annotation, prop, value }: Readonly<Record<'annotation' | 'prop' | 'value', string>>,
): string {
  if (annotations[annotation] !== undefined) return `the annotation ${annotation} (${prop} of meshing.inject)`;
  if (namespaces.get(namespace)?.annotations[annotation] !== undefined)
    return `the annotation ${annotation} of namespace ${namespace} (${prop} of meshing.namespace)`;
  return `${value} in the values of LinkerdControlPlane`;
}

const WITHOUT_IDENTITY: readonly string[] = ['all-unauthenticated', 'audit', 'cluster-unauthenticated'];

/** Returns the reason if the pods' own default policy allows any client. */
function undoneDefault({ annotations }: PodSet, ofNamespace: string): Unenforced | undefined {
  const own = annotations[DEFAULT_INBOUND_POLICY];
  if (own === undefined || !WITHOUT_IDENTITY.includes(own) || WITHOUT_IDENTITY.includes(ofNamespace)) return undefined;
  return (policy) =>
    LINKERD_POLICY_FINDINGS.policyNotEnforcedOwnDefault({
      ...policy,
      annotation: DEFAULT_INBOUND_POLICY,
      value: own,
      ofNamespace,
    });
}
