import { isObject, objectOf } from '#base/is-object';
import { matchesSelector } from '#base/label-selector';
import { fieldPath, itemsOf, selectFields, textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { EXTENSION } from '#linkerd/annotations';
import type { Warning } from '../warnings';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { type Guard, type Guards, isControlPlane, isOpen, PROXY_ADMIN_PORT } from './guards';
import { isMeshed, type PodSet } from './pod-sets';
import type { Admission, ClientIdentity } from './policy-objects';

/** Warns about a scraper or an ingress that the policies of its targets would refuse. */
export function lockoutWarnings(object: KubernetesObject, guards: Guards): readonly Warning[] {
  switch (`${apiGroup(object.apiVersion)}/${object.kind}`) {
    case 'monitoring.coreos.com/PodMonitor':
      return podMonitorWarnings(object, guards);
    case 'networking.k8s.io/Ingress':
    case 'traefik.io/IngressRoute':
      return ingressWarnings(object, guards);
    default:
      return isOwnPrometheus(object) ? ownPrometheusWarnings(object, guards) : [];
  }
}

/** Warns about pods that no client may reach at any port: the default refuses them, and no policy allows any. */
export function unreachableWarnings(pods: PodSet, guards: Guards): readonly Warning[] {
  if (isMeshed(pods, guards.index) !== true || isControlPlane(pods) || pods.ports.length === 0) return [];
  const guarded = pods.ports.map(({ number }) => guards.guardOf(pods, number));
  const isShut = guarded.every((guard) => guard !== undefined && guard.server === undefined && guard.mode === 'deny');
  if (!isShut) return [];
  return [
    LINKERD_POLICY_FINDINGS.workloadUnreachable({
      object: describeObject(pods.object),
      ports: pods.ports.map(({ name, number }) => name ?? number).join(', '),
    }),
  ];
}

/** Whether an object is the Prometheus of Viz, which scrapes all proxies. */
function isOwnPrometheus({ kind, metadata: { name, labels = {} } }: KubernetesObject): boolean {
  return kind === 'Deployment' && name === 'prometheus' && labels[EXTENSION] === 'viz';
}

function ownPrometheusWarnings(object: KubernetesObject, guards: Guards): readonly Warning[] {
  const namespace = namespaceOf(object);
  const isScraper = (admission: Admission) =>
    admission.identities === undefined || admission.identities.some((one) => isAccount(one, namespace, 'prometheus'));
  return proxyWarnings(object, guards.index.all, guards, isScraper);
}

function isAccount(identity: ClientIdentity, namespace: string, name: string): boolean {
  if (identity.kind === 'account') return identity.namespace === namespace && identity.name === name;
  if (identity.kind === 'namespace') return identity.name === namespace;
  return identity.text === '*' || identity.text.startsWith(`${name}.${namespace}.`) || identity.text.startsWith('*.');
}

const KEPT = fieldPath('spec.podMetricsEndpoints[].relabelings[].regex');
const ENDPOINTS = fieldPath('spec.podMetricsEndpoints[]');

function podMonitorWarnings(object: KubernetesObject, guards: Guards): readonly Warning[] {
  const spec = objectOf(object.spec);
  const own = namespaceOf(object);
  const { any, matchNames } = objectOf(spec.namespaceSelector);
  const namespaces = any === true ? undefined : itemsOf(matchNames ?? [own]);
  const chosen = guards.index.all.filter(
    ({ namespace, labels }) =>
      (namespaces === undefined || namespaces.includes(namespace)) &&
      matchesSelector(spec.selector, labels, 'everything'),
  );
  const asksProxies = selectFields(object, KEPT).some(({ value }) => `${value}`.includes('linkerd-proxy'));
  // The account of its Prometheus is unknown: it may be any client of another namespace.
  const isScraper = (pods: PodSet) => (admission: Admission) => isOfElsewhere(admission, pods.namespace);
  const ofEndpoints = selectFields(object, ENDPOINTS).flatMap(({ value: endpoint }) => {
    const port = textIn(endpoint, 'port');
    const path = textIn(endpoint, 'path') ?? '/metrics';
    return chosen.flatMap((pods) =>
      pods.ports
        .filter(({ name }) => name !== undefined && name === port)
        .filter(({ number }) => isLockedOut(guards.guardOf(pods, number), path, isScraper(pods), guards))
        .map(({ number }) => scraperWarning(object, `port ${number} of ${describeObject(pods.object)}`, pods)),
    );
  });
  return asksProxies ? [...ofEndpoints, ...proxyWarnings(object, chosen, guards)] : ofEndpoints;
}

function proxyWarnings(
  object: KubernetesObject,
  chosen: readonly PodSet[],
  guards: Guards,
  isScraper?: (admission: Admission) => boolean,
): readonly Warning[] {
  const refusing = new Map<string, PodSet>();
  for (const pods of chosen) {
    if (refusing.has(pods.namespace) || isMeshed(pods, guards.index) !== true || isControlPlane(pods)) continue;
    const isLet = isScraper ?? ((admission: Admission) => isOfElsewhere(admission, pods.namespace));
    if (isLockedOut(guards.guardOf(pods, PROXY_ADMIN_PORT), '/metrics', isLet, guards))
      refusing.set(pods.namespace, pods);
  }
  return [...refusing.values()].map((pods) =>
    scraperWarning(object, `the proxies in ${pods.namespace} (port ${PROXY_ADMIN_PORT})`, pods),
  );
}

function isLockedOut(
  guard: Guard | undefined,
  path: string,
  isLet: (admission: Admission) => boolean,
  guards: Guards,
): boolean {
  if (guard === undefined || guard.mode === undefined) return false;
  return !guards.clientsOf(guard, { method: 'GET', path }).some(isLet);
}

function isOfElsewhere(admission: Admission, namespace: string): boolean {
  if (isOpen(admission)) return true;
  return (admission.identities ?? []).some((identity) => {
    if (identity.kind === 'account') return identity.namespace !== namespace;
    return identity.kind === 'namespace' ? identity.name !== namespace : true;
  });
}

function scraperWarning(object: KubernetesObject, place: string, { namespace }: PodSet): Warning {
  return LINKERD_POLICY_FINDINGS.scraperDenied({ object: describeObject(object), place, namespace });
}

const SERVICES: Readonly<Record<string, readonly ReturnType<typeof fieldPath>[]>> = {
  Ingress: [fieldPath('spec.defaultBackend.service'), fieldPath('spec.rules[].http.paths[].backend.service')],
  IngressRoute: [fieldPath('spec.routes[].services[]')],
};

function ingressWarnings(object: KubernetesObject, guards: Guards): readonly Warning[] {
  const own = namespaceOf(object);
  const backends = (SERVICES[object.kind] ?? []).flatMap((path) =>
    selectFields(object, path).map(({ value }) => value),
  );
  const refusing = backends.flatMap((backend) => {
    const namespace = textIn(backend, 'namespace') ?? own;
    const service = guards.service(namespace, textIn(backend, 'name') ?? '');
    if (service === undefined) return [];
    return guards
      .portsBehind(service, portOf(backend))
      .filter(
        (guard) =>
          guard.mode !== undefined && !clientsOfAnything(guard, guards).some((one) => isOfElsewhere(one, namespace)),
      )
      .map(({ pods, port }) => ({ service, place: `port ${port} of ${describeObject(pods.object)}` }));
  });
  const [first] = refusing;
  if (first === undefined) return [];
  return [
    LINKERD_POLICY_FINDINGS.ingressDenied({
      object: describeObject(object),
      service: describeObject(first.service),
      place: first.place,
    }),
  ];
}

function portOf(backend: unknown): unknown {
  const { port } = objectOf(backend);
  return isObject(port) ? (port.number ?? port.name) : port;
}

function clientsOfAnything({ admissions, routes }: Guard, guards: Guards): readonly Admission[] {
  return [...admissions, ...guards.admissionsOfRoutes(routes)];
}
