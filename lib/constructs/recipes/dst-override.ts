import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { pointer, valueAtPointer } from '#base/json-pointer';
import type { IngressRoute, Middleware } from '#imports/crds/traefik.io';
import { checkDnsLabel, checkDnsSubdomain, checkPort } from '#kubernetes/names';
import { keysOf, NUMBER, required, text } from '#kubernetes/options/known-keys';
import { addRule } from '../../gitops/tree/add-rule';
import { jsonOf } from '../../gitops/tree/api-objects';
import { clusterDomainOf } from '../../gitops/tree/cluster';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { apiObjectOf, describeApiObject, type PlusResource } from '../../gitops/tree/meshable';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { appendAt } from '../meshing/json-patch';
import { checkService, SERVICE, type ServiceName, type ServiceObject, serviceNameOf } from '../meshing/service-name';
import { RECIPES_FINDINGS } from './findings';

/** Props of DstOverride. */
export interface DstOverrideProps {
  /** The service that the requests are for, as an object or by name. The Middleware is created in its namespace. */
  readonly service: ServiceObject | ServiceName;

  /** Port of the service; it must serve HTTP. */
  readonly port: number;

  /**
   * Name of the Middleware.
   *
   * @default '<service>-l5d-dst-override'
   */
  readonly name?: string;

  /**
   * DNS domain of the cluster's services.
   *
   * @default - that of the Cluster, or 'cluster.local'
   */
  readonly clusterDomain?: string;
}

const PROPS = keysOf<DstOverrideProps>({
  service: required(SERVICE),
  port: NUMBER,
  name: true,
  clusterDomain: true,
});

/**
 * A Traefik Middleware that names the service of each request in a header, for a Traefik in ingress mode. Without it,
 * Traefik chooses a pod of the service, and Linkerd can neither balance the load nor apply the service's routes.
 *
 * @example
 * new DstOverride(home, 'web-destination', { service: { namespace: 'shop', name: 'web' }, port: 80 }).attachTo(ingress);
 */
export class DstOverride extends Construct {
  /** Name of the Middleware. */
  readonly middlewareName: string;
  /** Namespace of the Middleware, which is the service's. */
  readonly namespace: string;
  /** The Middleware's name in Traefik's annotations. */
  readonly reference: string;
  /** The service that receives the requests. */
  readonly serviceName: string;

  constructor(scope: Construct, id: string, props: DstOverrideProps) {
    super(scope, id);
    const given = propsOf<DstOverrideProps>(this, PROPS, props);
    const service = serviceNameOf(given.service);
    const domain = given.clusterDomain ?? clusterDomainOf(this);
    this.serviceName = service.name;
    this.namespace = service.namespace;
    this.middlewareName = given.name ?? `${service.name}-l5d-dst-override`;
    this.reference = middlewareReference(this.namespace, this.middlewareName);
    setHomeNamespace(this, this.namespace);
    dstOverrideMiddleware(this, {
      name: this.middlewareName,
      namespace: this.namespace,
      value: `${service.name}.${service.namespace}.svc.${domain}:${given.port}`,
    });
    addRule(this, () => [
      ...checkService('service', given.service),
      ...checkPort('port', given.port),
      // A name that is derived from the service's name is invalid only if that name is.
      ...(given.name === undefined ? [] : checkDnsSubdomain('name', given.name)),
      ...checkDnsSubdomain('clusterDomain', domain),
    ]);
  }

  /**
   * Adds the Middleware to an Ingress, or to the routes of an IngressRoute that forward to the service, after the
   * Middlewares that it already uses.
   */
  attachTo(ingress: ApiObject | PlusResource): void {
    const object = apiObjectOf(ingress);
    const attach = object.kind === 'IngressRoute' ? attachToIngressRoute : attachToIngress;
    attach(object, this);
  }
}

/** Props of DstOverrideRemoval. */
export interface DstOverrideRemovalProps {
  /** Namespace of the Middleware: Traefik's own. */
  readonly namespace: string;

  /**
   * Name of the Middleware.
   *
   * @default 'l5d-dst-override-removal'
   */
  readonly name?: string;
}

const REMOVAL_PROPS = keysOf<DstOverrideRemovalProps>({
  namespace: required(text("the name of Traefik's namespace")),
  name: true,
});

/**
 * A Traefik Middleware that removes the header `l5d-dst-override` from requests. Use it on the entry points, before the
 * Middlewares of routes: otherwise a Traefik in ingress mode sends requests to any destination that the client names,
 * inside or outside the cluster (https://linkerd.io/2-edge/reference/proxy-configuration/#ingress-mode).
 *
 * @example
 * new DstOverrideRemoval(home, 'no-destination', { namespace: 'traefik' });
 */
export class DstOverrideRemoval extends Construct {
  /** The Middleware's name in Traefik's arguments and annotations. */
  readonly reference: string;

  constructor(scope: Construct, id: string, props: DstOverrideRemovalProps) {
    super(scope, id);
    const given = propsOf<DstOverrideRemovalProps>(this, REMOVAL_PROPS, props);
    const { namespace, name = 'l5d-dst-override-removal' } = given;
    setHomeNamespace(this, namespace);
    this.reference = middlewareReference(namespace, name);
    dstOverrideMiddleware(this, { name, namespace, value: '' });
    addRule(this, () => [...checkDnsLabel('namespace', namespace), ...checkDnsSubdomain('name', name)]);
  }
}

/** The header that names the destination of a request to a proxy in ingress mode. */
const DST_OVERRIDE = 'l5d-dst-override';

/** Renders a Middleware that sets the header, or overwrites the header that a client sent. */
function dstOverrideMiddleware(
  scope: Construct,
  { name, namespace, value }: { readonly name: string; readonly namespace: string; readonly value: string },
): ApiObject {
  return manifest(scope, 'middleware', {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'Middleware',
    metadata: { name, namespace },
    spec: { headers: { customRequestHeaders: { [DST_OVERRIDE]: value } } },
  } satisfies Middleware);
}

/** Returns the name of a Middleware in Traefik's annotations and arguments, which includes the provider. */
function middlewareReference(namespace: string, name: string): string {
  return `${namespace}-${name}@kubernetescrd`;
}

interface ServiceMiddleware {
  readonly namespace: string;
  readonly middlewareName: string;
  readonly reference: string;
  readonly serviceName: string;
}

const MIDDLEWARES = 'traefik.ingress.kubernetes.io/router.middlewares';

function attachToIngress(ingress: ApiObject, middleware: ServiceMiddleware): void {
  const before = valueAtPointer(ingress.metadata.toJson(), pointer('/annotations', MIDDLEWARES));
  const names = typeof before === 'string' ? before.split(',') : [];
  if (!names.includes(middleware.reference)) {
    ingress.metadata.addAnnotation(MIDDLEWARES, [...names, middleware.reference].join(','));
  }
  addRule(ingress, () => checkIngress(ingress, middleware));
}

function checkIngress(ingress: ApiObject, { serviceName, namespace }: ServiceMiddleware): readonly Problem[] {
  const name = describeApiObject(ingress);
  if (ingress.kind !== 'Ingress') {
    const kinds = 'an Ingress or an IngressRoute';
    return [
      RECIPES_FINDINGS.middlewareRefusedObject({ call: 'attachTo()', object: name, controller: 'Traefik', kinds }),
    ];
  }
  const own = ingress.metadata.namespace ?? namespace;
  const isOwn = own === namespace;
  const others = jsonOf(ingress)
    .flatMap(backendsOf)
    .filter((backend) => !isOwn || backend !== serviceName);
  if (isOwn && others.length === 0) return [];
  return [
    RECIPES_FINDINGS.middlewareRefusedServices({
      ingress: name,
      service: `${namespace}/${serviceName}`,
      services: (others.length > 0 ? others : [serviceName]).map((other) => `${own}/${other}`).join(', '),
    }),
  ];
}

function backendsOf(ingress: unknown): readonly string[] {
  const backends = [valueAtPointer(ingress, '/spec/defaultBackend'), ...rulesOf(ingress)];
  return [...new Set(backends.map((backend) => valueAtPointer(backend, '/service/name')))].filter(
    (name) => typeof name === 'string',
  );
}

function rulesOf(ingress: unknown): readonly unknown[] {
  return listAt(ingress, '/spec/rules').flatMap((rule) =>
    listAt(rule, '/http/paths').map((path) => valueAtPointer(path, '/backend')),
  );
}

function listAt(value: unknown, path: string): readonly unknown[] {
  const list = valueAtPointer(value, path);
  return Array.isArray(list) ? list : [];
}

type Route = IngressRoute['spec']['routes'][number];

/** Attaches the Middleware only to routes that have no other service. */
function attachToIngressRoute(ingressRoute: ApiObject, middleware: ServiceMiddleware): void {
  const document = ingressRoute.toJson() as IngressRoute;
  const { serviceName, middlewareName: name, namespace } = middleware;
  const own = ingressRoute.metadata.namespace ?? namespace;
  const isFor = ({ services = [] }: Route) =>
    services.length > 0 &&
    services.every((service) => service.name === serviceName && (service.namespace ?? own) === namespace);
  const matching = document.spec.routes.flatMap((route, index) => (isFor(route) ? [index] : []));
  for (const index of matching) {
    ingressRoute.addJsonPatch(appendAt(document, pointer('/spec/routes', index, 'middlewares'), { name, namespace }));
  }
  addRule(ingressRoute, () => {
    if (matching.length === 0) {
      const service = `${namespace}/${serviceName}`;
      return [RECIPES_FINDINGS.middlewareRefusedRoute({ ingressRoute: describeApiObject(ingressRoute), service })];
    }
    if (own === namespace) return [];
    return [
      RECIPES_FINDINGS.middlewareRefusedNamespace({
        ingressRoute: describeApiObject(ingressRoute),
        middleware: `${namespace}/${name}`,
        namespace,
      }),
    ];
  });
}
