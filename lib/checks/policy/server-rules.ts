import { distance } from 'fastest-levenshtein';
import type { Problem } from '#base/findings/problem';
import { objectOf } from '#base/is-object';
import { describeObject } from '#kubernetes/objects/kubernetes-object';
import type { Warning } from '../warnings';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { type Guards, isControlPlane, isOfLinkerd } from './guards';
import { isOpaque, numbersOf } from './pod-sets';
import { isEverything, type RouteObject, type ServerObject } from './policy-objects';

/** Protocols for which a proxy detects no HTTP/1 or HTTP/2 requests that an HTTPRoute could match. */
const WITHOUT_HTTP_ROUTES = ['opaque', 'TLS', 'gRPC'];

/** Reports Servers that do not protect the ports that they select. */
export function checkServer(server: ServerObject, guards: Guards): readonly Problem[] {
  return [
    ...checkOverlap(server, guards),
    ...checkControlPlane(server, guards),
    ...guards.routesOf(server).flatMap((route) => checkRoute(server, route)),
  ];
}

/** Warns about Servers that probably protect less, or allow fewer clients, than intended. */
export function serverWarnings(server: ServerObject, guards: Guards): readonly Warning[] {
  return [...withoutPods(server, guards), ...undoneOpaquePorts(server, guards), ...partialRoutes(server, guards)];
}

/**
 * Reports overlapping Servers. Linkerd 2.14 refuses the second one; later releases use the oldest one, or the first by
 * name if they are equally old.
 */
function checkOverlap(server: ServerObject, guards: Guards): readonly Problem[] {
  const rivals = new Map<ServerObject, string>();
  for (const pods of guards.podsOf(server)) {
    for (const port of numbersOf(server.port, pods)) {
      const [first = server] = guards.byPods.get(pods)?.get(port) ?? [];
      // Two Servers of one name are the same object in the cluster, which another rule reports.
      if (describeObject(first.object) !== describeObject(server.object))
        rivals.set(first, `port ${port} of ${describeObject(pods.object)}`);
    }
  }
  return [...rivals].map(([rival, place]) =>
    LINKERD_POLICY_FINDINGS.serversOverlap({
      one: describeObject(server.object),
      other: describeObject(rival.object),
      place,
    }),
  );
}

function checkControlPlane(server: ServerObject, guards: Guards): readonly Problem[] {
  const { accessPolicy = 'deny' } = server;
  if (accessPolicy === 'audit' || accessPolicy === 'all-unauthenticated') return [];
  const guarded = guards.podsOf(server).find((pods) => isControlPlane(pods) && numbersOf(server.port, pods).length > 0);
  if (guarded === undefined) return [];
  return [
    LINKERD_POLICY_FINDINGS.controlPlaneGuarded({
      server: describeObject(server.object),
      object: describeObject(guarded.object),
    }),
  ];
}

function checkRoute({ object, protocol }: ServerObject, route: RouteObject): readonly Problem[] {
  const isUnseen = route.kind === 'GRPCRoute' ? protocol !== 'gRPC' : WITHOUT_HTTP_ROUTES.includes(protocol);
  if (!isUnseen) return [];
  const found = { route: describeObject(route.object), server: describeObject(object), protocol };
  return [
    route.kind === 'GRPCRoute'
      ? LINKERD_POLICY_FINDINGS.routeProtocolMismatchGrpc(found)
      : LINKERD_POLICY_FINDINGS.routeProtocolMismatchHttp(found),
  ];
}

function withoutPods(server: ServerObject, guards: Guards): readonly Warning[] {
  const { object, namespace, isExternal, port } = server;
  // If the output has no pods in the namespace, they are created elsewhere.
  if (isExternal || isOfLinkerd(object) || guards.index.in(namespace).length === 0) return [];
  const pods = guards.podsOf(server);
  if (pods.some((one) => numbersOf(server.port, one).length > 0)) return [];
  const name = describeObject(object);
  if (pods.length === 0) {
    const similar = misspelled(server, guards);
    if (similar !== undefined)
      return [LINKERD_POLICY_FINDINGS.policyWithoutPodsServerSimilar({ server: name, ...similar })];
    return [LINKERD_POLICY_FINDINGS.policyWithoutPodsServer({ server: name, namespace })];
  }
  const ports = new Set(pods.flatMap((one) => one.ports.map(({ name: own, number }) => own ?? number)));
  return [
    LINKERD_POLICY_FINDINGS.policyWithoutPodsServerPort({
      server: name,
      port: `${port}`,
      ports: [...ports].join(', '),
    }),
  ];
}

/** Returns the misspelled label of a selector that would otherwise select pods with the port of the Server. */
function misspelled({ namespace, podSelector, port }: ServerObject, { index }: Guards) {
  const { matchLabels, ...others } = objectOf(podSelector);
  if (Object.keys(others).length > 0) return undefined;
  for (const [label, value] of Object.entries(objectOf(matchLabels))) {
    if (index.in(namespace).some(({ labels }) => labels[label] === value)) continue;
    const { [label]: _, ...rest } = objectOf(matchLabels);
    const found = index
      .select(namespace, { matchLabels: rest })
      .find((pods) => numbersOf(port, pods).length > 0 && isSlip(`${value}`, pods.labels[label] ?? ''));
    if (found !== undefined) {
      const similar = found.labels[label] ?? '';
      return { namespace, label, value: `${value}`, similar, object: describeObject(found.object) };
    }
  }
  return undefined;
}

/** Minimum length of a misspelled word: shorter words often differ by one letter on purpose. */
const SHORTEST = 4;

/** Whether two words with the same digits differ by one letter, or by two swapped letters. */
function isSlip(one: string, other: string): boolean {
  const sorted = (text: string) => [...text].sort().join('');
  const digits = (text: string) => text.replaceAll(/\D/g, '');
  if (Math.min(one.length, other.length) < SHORTEST || digits(one) !== digits(other)) return false;
  const letters = distance(one, other);
  return letters === 1 || (letters === 2 && sorted(one) === sorted(other));
}

function undoneOpaquePorts(server: ServerObject, guards: Guards): readonly Warning[] {
  if (server.protocol !== 'unknown') return [];
  const undone = guards
    .podsOf(server)
    .flatMap((pods) => numbersOf(server.port, pods).map((port) => ({ pods, port })))
    .find(({ pods, port }) => isOpaque(pods, port, guards.index));
  if (undone === undefined) return [];
  const { pods, port } = undone;
  return [
    LINKERD_POLICY_FINDINGS.opaquePortOverridden({
      server: describeObject(server.object),
      port,
      object: describeObject(pods.object),
    }),
  ];
}

/** Warns about clients that a policy allows for a Server, but that are refused where none of its routes matches. */
function partialRoutes(server: ServerObject, guards: Guards): readonly Warning[] {
  const routes = guards.routesOf(server).filter(({ kind }) => kind === 'HTTPRoute');
  const isWhole = routes.some(({ matches }) => matches.some(isEverything));
  if (routes.length === 0 || isWhole || guards.admissionsOf(server).length === 0) return [];
  return [
    LINKERD_POLICY_FINDINGS.routesPartial({
      server: describeObject(server.object),
      routes: routes.map(({ name }) => name).join(', '),
    }),
  ];
}
