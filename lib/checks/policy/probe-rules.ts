import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Warning } from '../warnings';
import { type DeniedProbe, LINKERD_POLICY_FINDINGS } from './findings';
import {
  defaultPolicyOfMesh,
  type Guard,
  type Guards,
  isControlPlane,
  isOfLinkerd,
  isOpen,
  PROXY_ADMIN_PORT,
} from './guards';
import { isMeshed, numbersOf, type PodProbe, type PodSet } from './pod-sets';
import type { Admission, ServerObject } from './policy-objects';
import { EVERYWHERE } from './proxy-settings';

/** The probes of proxies, which the injector adds, so that no template contains them. */
const PROXY_PROBES: readonly PodProbe[] = ['/live', '/ready'].map((path) => ({
  field: `the probe ${path} of the proxy`,
  kind: 'HTTP',
  port: PROXY_ADMIN_PORT,
  path,
}));

/**
 * Reports probes that would be refused, because kubelets have no identity. Linkerd allows HTTP probes by default, if
 * the proxy detects requests on their port and no route is attached to its Server (linkerd2#7050).
 */
export function checkProbes(pods: PodSet, guards: Guards): readonly Problem[] {
  if (isMeshed(pods, guards.index) === false || isControlPlane(pods)) return [];
  const isProxied = isMeshed(pods, guards.index) === true;
  return [...pods.probes, ...(isProxied ? PROXY_PROBES : [])].flatMap((probe) => checkProbe(pods, probe, guards));
}

function checkProbe(pods: PodSet, probe: PodProbe, guards: Guards): readonly Problem[] {
  if (probe.port === undefined) return [];
  const guard = guards.guardOf(pods, probe.port);
  if (guard === undefined || guard.mode === undefined) return [];
  const refusal = refusalOf(probe, guard, guards);
  if (refusal === undefined) return [];
  const place = guard.server === undefined ? `the default policy ${guard.mode}` : describeObject(guard.server.object);
  return [
    refusal({
      policy: place,
      field: probe.field,
      object: describeObject(pods.object),
      probe: `${probe.kind} at port ${probe.port}, ${probe.path}`,
      of: probe.isHook ? 'hook' : 'probe',
    }),
  ];
}

type Refusal = (denied: DeniedProbe) => Problem;

function refusalOf(probe: PodProbe, guard: Guard, guards: Guards): Refusal | undefined {
  const { kind, path } = probe;
  const { protocol, admissions } = guard;
  if (kind === 'HTTP' && (protocol === 'HTTP/2' || protocol === 'gRPC')) {
    return (denied) => LINKERD_POLICY_FINDINGS.probeDeniedProtocol({ ...denied, protocol });
  }
  if (kind === 'HTTPS' || protocol === 'opaque' || protocol === 'TLS') {
    return admissions.some(isOpen) ? undefined : LINKERD_POLICY_FINDINGS.probeDeniedUnrecognized;
  }
  return kind === 'gRPC' ? refusalOfGrpc(guard, guards, path) : refusalOfRequest(probe, guard, guards);
}

/**
 * Returns the refusal of a request that the proxy detects, and that Linkerd allows only as a probe of a port without
 * routes.
 */
function refusalOfRequest(
  { path, isHook = false, isRelative = false }: PodProbe,
  guard: Guard,
  guards: Guards,
): Refusal | undefined {
  const { probeNetworks } = guards.index.settings;
  const isProbe = guard.routes.length === 0 && !isHook;
  if (isProbe && !isRelative && probeNetworks.length > 0) return undefined;
  if (guards.clientsOf(guard, { method: 'GET', path }).some(isOpen)) return undefined;
  if (isProbe && probeNetworks.length === 0) return LINKERD_POLICY_FINDINGS.probeDeniedNetworks;
  if (isProbe) return (denied) => LINKERD_POLICY_FINDINGS.probeDeniedSlash({ ...denied, path });
  return isHook
    ? (denied) => LINKERD_POLICY_FINDINGS.probeDeniedHook({ ...denied, path })
    : (denied) => LINKERD_POLICY_FINDINGS.probeDeniedRoute({ ...denied, path });
}

/** Returns the refusal of a gRPC probe: Linkerd reads only HTTP probes from pods. */
function refusalOfGrpc(guard: Guard, guards: Guards, path: string): Refusal | undefined {
  const hasGrpcRoutes = guard.routes.some(({ kind }) => kind === 'GRPCRoute');
  const clients = hasGrpcRoutes ? guard.admissions : guards.clientsOf(guard, { method: 'POST', path });
  // The requests that a GRPCRoute matches are not evaluated.
  if (hasGrpcRoutes || clients.some(isOpen)) return undefined;
  return (denied) => LINKERD_POLICY_FINDINGS.probeDeniedGrpc({ ...denied, path });
}

/**
 * Warns once about probes whose paths any client may request. Linkerd allows probes by their path, from all networks
 * unless the networks of kubelets are set.
 */
export function openProbes(guards: Guards): readonly Finding[] {
  const { probeNetworks } = guards.index.settings;
  if (!probeNetworks.some((network) => EVERYWHERE.includes(network))) return [];
  const found = guards.index.all.flatMap((pods) => {
    const [probe] = isOfLinkerd(pods.object) ? [] : pods.probes.filter((one) => isOpenedProbe(pods, one, guards));
    return probe === undefined ? [] : [{ object: pods.object, path: probe.path }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const controller = guards.objects.find(({ object }) => defaultPolicyOfMesh(object) !== undefined);
  return findingsAt(controller?.path ?? guards.pathOf(first.object), [anyoneProbes(first, found.length - 1)]);
}

function anyoneProbes(
  { object, path }: { readonly object: KubernetesObject; readonly path: string },
  others: number,
): Warning {
  return LINKERD_POLICY_FINDINGS.probePathsOpen({
    probes: `${path} of ${describeObject(object)}${others === 0 ? '' : `, and the probes of ${others} more`}`,
  });
}

function isOpenedProbe(pods: PodSet, probe: PodProbe, guards: Guards): boolean {
  if (probe.kind !== 'HTTP' || probe.port === undefined || isMeshed(pods, guards.index) !== true) return false;
  const guard = isControlPlane(pods) ? undefined : guards.guardOf(pods, probe.port);
  if (guard === undefined || guard.mode === undefined || guard.admissions.some(isOpen)) return false;
  if (refusalOf(probe, guard, guards) !== undefined) return false;
  return guard.routes.length === 0 || opensPath(guard, probe.path, guards);
}

/** Whether routes allow any client to request a path by GET, but not by POST, as for a probe. */
function opensPath(guard: Guard, path: string, guards: Guards): boolean {
  const isAny = ({ identities, networks }: Admission) =>
    identities === undefined &&
    (networks === undefined || (networks !== 'cluster' && networks.some(({ cidr }) => EVERYWHERE.includes(cidr))));
  const isOpenFor = (method: string) => guards.clientsOf(guard, { method, path }).some(isAny);
  return isOpenFor('GET') && !isOpenFor('POST');
}

/** Warns about a Server whose routes open the path of a probe on pods without this probe. */
export function sharedProbes(server: ServerObject, guards: Guards): readonly Warning[] {
  if (guards.routesOf(server).length === 0 || isOfLinkerd(server.object)) return [];
  const guarded = guards.podsOf(server).flatMap((pods) =>
    numbersOf(server.port, pods).flatMap((port) => {
      const guard = guards.guardOf(pods, port);
      return guard === undefined || guard.admissions.some(isOpen) ? [] : [guard];
    }),
  );
  const owners = grouped(
    guarded.flatMap(({ pods, port }) =>
      pods.probes
        .filter((probe) => probe.kind === 'HTTP' && probe.port === port)
        .map(({ path }) => [path, pods] as const),
    ),
  );
  for (const [path, own] of owners) {
    const owning = new Set(own);
    // All pods of a Server share its routes.
    const other = guarded.find(({ pods }) => !owning.has(pods));
    if (other !== undefined && opensPath(other, path, guards)) return [pathOfAnother(server, path, own[0], other.pods)];
  }
  return [];
}

function pathOfAnother(server: ServerObject, path: string, owner: PodSet, other: PodSet): Warning {
  return LINKERD_POLICY_FINDINGS.probePathShared({
    server: describeObject(server.object),
    path,
    object: describeObject(other.object),
    owner: describeObject(owner.object),
  });
}
