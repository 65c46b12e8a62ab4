import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
import { describeObject } from '../../kubernetes/kubernetes-object';
import { type Guards, isControlPlane, isOfLinkerd } from './guards';
import { isOpaque, numbersOf } from './pod-sets';
import { isEverything, type RouteObject, type ServerObject } from './policy-objects';

/** Protocols of which a proxy sees no requests of HTTP/1 or HTTP/2 that an HTTPRoute could match. */
const WITHOUT_HTTP_ROUTES = ['opaque', 'TLS', 'gRPC'];

/** Reports Servers that guard something else than what they seem to. */
export function checkServer(server: ServerObject, guards: Guards): readonly Problem[] {
  return [
    ...checkOverlap(server, guards),
    ...checkControlPlane(server, guards),
    ...guards.routesOf(server).flatMap((route) => checkRoute(server, route)),
  ];
}

/** Warns of Servers that guard less, or let in fewer, than meant. */
export function serverWarnings(server: ServerObject, guards: Guards): readonly Warning[] {
  return [...withoutPods(server, guards), ...undoneOpaquePorts(server, guards), ...partialRoutes(server, guards)];
}

/** Linkerd 2.14 refuses the second; later releases take the older one, and by name of those that are as old. */
function checkOverlap(server: ServerObject, guards: Guards): readonly Problem[] {
  const rivals = new Map<ServerObject, string>();
  for (const pods of guards.podsOf(server)) {
    for (const port of numbersOf(server.port, pods)) {
      const [first = server] = guards.byPods.get(pods)?.get(port) ?? [];
      if (first !== server) rivals.set(first, `port ${port} of ${describeObject(pods.object)}`);
    }
  }
  return [...rivals].map(([rival, place]) => ({
    code: 'servers-overlap',
    what: `${describeObject(server.object)} and ${describeObject(rival.object)} both select ${place}`,
    why: 'Only one of them counts: the one that was created first, or of two of one second that which comes first by name. Linkerd 2.14 refuses the other',
    fix: 'select each port of a pod by one Server, and give that all authorizations',
  }));
}

function checkControlPlane(server: ServerObject, guards: Guards): readonly Problem[] {
  const { accessPolicy = 'deny' } = server;
  if (accessPolicy === 'audit' || accessPolicy === 'all-unauthenticated') return [];
  const guarded = guards.podsOf(server).find((pods) => isControlPlane(pods) && numbersOf(server.port, pods).length > 0);
  if (guarded === undefined) return [];
  return [
    {
      code: 'control-plane-guarded',
      what: `${describeObject(server.object)} guards ${describeObject(guarded.object)}, a part of the control plane`,
      why: 'Proxies ask it before they have an identity, and API servers and kubelets never have one: none of them could be let in by name, and pods would not start',
      fix: "remove it, or set accessPolicy: 'audit' to see who connects",
    },
  ];
}

function checkRoute({ object, protocol }: ServerObject, route: RouteObject): readonly Problem[] {
  const isUnseen = route.kind === 'GRPCRoute' ? protocol !== 'gRPC' : WITHOUT_HTTP_ROUTES.includes(protocol);
  if (!isUnseen) return [];
  return [
    {
      code: 'route-unseen',
      what: `${describeObject(route.object)} is attached to ${describeObject(object)}, whose proxyProtocol is ${protocol}`,
      why:
        route.kind === 'GRPCRoute'
          ? 'Proxies look at GRPCRoutes only where the protocol is gRPC'
          : 'Proxies look at HTTPRoutes only where they see requests of HTTP: it would match none, and its clients are refused',
      fix:
        route.kind === 'GRPCRoute'
          ? 'set proxyProtocol: gRPC, or write an HTTPRoute'
          : 'set proxyProtocol: HTTP/1, HTTP/2 or unknown; or remove the route, and authorize its clients for the Server',
    },
  ];
}

function withoutPods(server: ServerObject, guards: Guards): readonly Warning[] {
  const { object, namespace, isExternal, port } = server;
  // Of a namespace without any pods here, somebody else makes them.
  if (isExternal || isOfLinkerd(object) || guards.index.in(namespace).length === 0) return [];
  const pods = guards.podsOf(server);
  if (pods.some((one) => numbersOf(server.port, one).length > 0)) return [];
  return [
    {
      code: 'server-without-pods',
      what:
        pods.length === 0
          ? `${describeObject(object)} selects none of the pods in ${namespace} that are known here`
          : `No container of the pods that ${describeObject(object)} selects has a port called ${port}`,
      why: 'It would guard nothing, and the default policy of the pods counts',
      fix:
        pods.length === 0
          ? 'compare podSelector with the labels of the pods; if a chart makes them, acknowledge it'
          : `name one of their ports: ${[...new Set(pods.flatMap((one) => one.ports.map(({ name, number }) => name ?? number)))].join(', ')}`,
    },
  ];
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
    {
      code: 'opaque-port-undone',
      what: `${describeObject(server.object)} leaves the protocol of port ${port} to be detected, which is opaque for ${describeObject(pods.object)}`,
      why: 'A Server supersedes the opaque ports of pods and of the mesh: where the server speaks first, as MySQL does, each connection waits for ten seconds',
      fix: 'set proxyProtocol: opaque',
    },
  ];
}

/** Clients of the whole Server are refused where no route fits, as nobody may have meant. */
function partialRoutes(server: ServerObject, guards: Guards): readonly Warning[] {
  const routes = guards.routesOf(server).filter(({ kind }) => kind === 'HTTPRoute');
  const isWhole = routes.some(({ matches }) => matches.some(isEverything));
  if (routes.length === 0 || isWhole || guards.admissionsOf(server).length === 0) return [];
  return [
    {
      code: 'routes-partial',
      what: `${describeObject(server.object)} has clients for all of it, but its routes (${routes.map(({ name }) => name).join(', ')}) fit some requests only`,
      why: 'Once a Server has a route, requests that fit none are answered with 404, whoever makes them',
      fix: 'add an HTTPRoute for the path prefix / to it, or let the authorizations target the routes',
    },
  ];
}
