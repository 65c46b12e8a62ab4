import { describeObject } from '../../kubernetes/kubernetes-object';
import type { Problem } from '../../problems/problem';
import { type Guard, type Guards, isControlPlane, isOpen, PROXY_ADMIN_PORT } from './guards';
import { isMeshed, type PodProbe, type PodSet } from './pod-sets';

/** The probes of proxies, which no template has: the injector adds them. */
const PROXY_PROBES: readonly PodProbe[] = ['/live', '/ready'].map((path) => ({
  field: `the probe ${path} of the proxy`,
  kind: 'HTTP',
  port: PROXY_ADMIN_PORT,
  path,
}));

/**
 * Reports probes that kubelets would see refused: they have no identity. Linkerd lets in those of HTTP by itself, where
 * no route is attached to the Server of their port (linkerd2#7050), and it sees requests there.
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
    {
      code: 'probe-locked-out',
      what: `${place} refuses ${probe.field} of ${describeObject(pods.object)} (${probe.kind} at port ${probe.port}, ${probe.path})`,
      why: `${refusal.why}: ${probe.isHook ? CONSEQUENCE_OF_HOOK : 'its pods would never be ready, or be restarted again and again'}`,
      fix: refusal.fix,
    },
  ];
}

const CONSEQUENCE_OF_HOOK = 'the hook would fail, and a container whose postStart fails is killed';

interface Refusal {
  readonly why: string;
  readonly fix: string;
}

const BY_OTHER_MEANS = 'probe another port by HTTP, or by exec or tcpSocket, which no policy concerns';

function refusalOf(
  { kind, path, isHook = false, isRelative = false }: PodProbe,
  guard: Guard,
  guards: Guards,
): Refusal | undefined {
  const { protocol, routes, admissions } = guard;
  if (kind === 'HTTP' && (protocol === 'HTTP/2' || protocol === 'gRPC')) {
    return {
      why: `Kubelets ask by HTTP/1, and the proxy takes ${protocol} alone there`,
      fix: 'leave proxyProtocol out, or probe another port',
    };
  }
  const seesRequests = kind !== 'HTTPS' && protocol !== 'opaque' && protocol !== 'TLS';
  if (!seesRequests) {
    return admissions.some(isOpen)
      ? undefined
      : {
          why: 'The proxy sees no request there that it could tell from others, and kubelets have no identity',
          fix: BY_OTHER_MEANS,
        };
  }
  if (kind === 'gRPC') return refusalOfGrpc(guard, guards, path);
  if (routes.length === 0 && !isHook && !isRelative) return undefined;
  if (guards.clientsOf(guard, { method: 'GET', path }).some(isOpen)) return undefined;
  if (isRelative && !isHook && routes.length === 0) {
    return {
      why: 'Linkerd reads its path as it stands, without the slash that kubelets put before it, and lets in another one',
      fix: `write path: ${path}`,
    };
  }
  return isHook
    ? {
        why: 'Linkerd lets in probes by themselves, and no hooks; kubelets have no identity',
        fix: `open its path, meshing.allow(…, { probePaths: ['${path}'] }), or use exec`,
      }
    : {
        why: 'Linkerd lets probes in by itself only as long as no route is attached to the Server, and none of its routes is open there',
        fix: `attach an HTTPRoute for GET ${path} to the Server, and authorize all networks for it; meshing.allow does that`,
      };
}

/** Linkerd reads probes of HTTP alone from pods. */
function refusalOfGrpc(guard: Guard, guards: Guards, path: string): Refusal | undefined {
  const hasGrpcRoutes = guard.routes.some(({ kind }) => kind === 'GRPCRoute');
  const clients = hasGrpcRoutes ? guard.admissions : guards.clientsOf(guard, { method: 'POST', path });
  // Of a GRPCRoute it is not known here which requests it fits.
  if (hasGrpcRoutes || clients.some(isOpen)) return undefined;
  return {
    why: 'Linkerd lets probes of HTTP in by itself, and none of gRPC; kubelets have no identity',
    fix: `let everybody make POST requests for ${path} on that port, or ${BY_OTHER_MEANS}`,
  };
}
