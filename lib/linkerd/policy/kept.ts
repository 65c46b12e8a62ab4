import { containsNetwork } from '../../kubernetes/networks';
import {
  CONTROL_PORT,
  DEFAULT_INBOUND_POLICY,
  INBOUND_PORT,
  INJECT,
  SKIP_INBOUND_PORTS,
  SKIP_OUTBOUND_PORTS,
  SKIP_SUBNETS,
} from '../annotations';
import { isAmong, isMeshed, isSkipped, NEVER_INJECTED, type PodSet, type Surroundings, settingOf } from './pod-sets';
import { EVERYWHERE } from './proxy-settings';

/** The reason why the proxies of pods do not keep a policy. */
export interface Unkept {
  /** Goes on from the name of the object. */
  readonly because: string;
  /** An imperative. */
  readonly fix: string;
}

/** The reason why no proxy keeps a policy on a port of pods; undefined where one does, or where that is not known. */
export function unkeptAt(pods: PodSet, port: number, around: Surroundings): Unkept | undefined {
  return (
    unmeshed(pods, around) ??
    ownPort(pods, port, around) ??
    skippedInbound(pods, port, around) ??
    skippedSubnet(pods, around)
  );
}

/** The reason why pods have no proxy; undefined where they have one, or where that is not known. */
export function unmeshed(pods: PodSet, around: Surroundings): Unkept | undefined {
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

/** The reason why a port is not one of the application, but of the proxy itself. */
export function ownPort(pods: PodSet, port: number, around: Surroundings): Unkept | undefined {
  const inboundPort = Number(settingOf(pods, INBOUND_PORT, around) ?? around.settings.inboundPort);
  const controlPort = Number(settingOf(pods, CONTROL_PORT, around) ?? around.settings.controlPort);
  if (port !== inboundPort && port !== controlPort) return undefined;
  return {
    because: `does not serve port ${port} itself: ${port === inboundPort ? 'its proxy accepts all redirected connections there' : 'its proxy is tapped there'}`,
    fix: 'name the port that the application listens on',
  };
}

function skippedInbound(pods: PodSet, port: number, around: Surroundings): Unkept | undefined {
  if (!isSkipped(pods, port, around)) return undefined;
  const { place, fix } = sourceOf(pods, around, {
    annotation: SKIP_INBOUND_PORTS,
    prop: 'skipInboundPorts',
    value: 'proxyInit.ignoreInboundPorts',
  });
  return { because: `has port ${port} bypass its proxy, by ${place}`, fix: `remove ${port} from ${fix}` };
}

/** Networks whose clients no proxy sees; those of the nodes are meant to be among them, for the sake of probes. */
function skippedSubnet(pods: PodSet, around: Surroundings): Unkept | undefined {
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

/** The reason why connections of pods to a port elsewhere bypass their proxies, or why they have none. */
export function unkeptTo(pods: PodSet, ports: readonly number[], around: Surroundings): Unkept | undefined {
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

/** The place that decides a list of ports: the pods, their namespace, or the mesh. */
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

/** The default policies that let in clients without an identity. */
const OPEN: readonly string[] = ['all-unauthenticated', 'audit', 'cluster-unauthenticated'];

/** The reason why pods do not have the default policy of their namespace: their own lets in any client. */
export function undoneDefault({ annotations }: PodSet, ofNamespace: string): Unkept | undefined {
  const own = annotations[DEFAULT_INBOUND_POLICY];
  if (own === undefined || !OPEN.includes(own) || OPEN.includes(ofNamespace)) return undefined;
  return {
    because: `has ${DEFAULT_INBOUND_POLICY}: ${own} itself`,
    fix: `remove the annotation (defaultInboundPolicy of meshing.inject), or write ${ofNamespace}`,
  };
}
