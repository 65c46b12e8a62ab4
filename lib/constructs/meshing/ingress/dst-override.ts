import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { addRule } from '../../../gitops/tree/add-rule';
import { clusterDomainOf } from '../../../gitops/tree/cluster';
import { setHomeNamespace } from '../../../gitops/tree/home-namespace';
import { apiObjectOf, type PlusResource } from '../../../gitops/tree/meshable';
import { propsOf } from '../../../gitops/tree/prop-of-shape';
import { keysOf, required } from '../../../kubernetes/known-keys';
import { checkDnsSubdomain, checkPort } from '../../../kubernetes/names';
import { dstOverrideMiddleware, middlewareReference } from './header-middleware';
import { attachToIngress } from './ingress-middleware';
import { attachToIngressRoute } from './ingress-route-middleware';
import { checkService, SERVICE, type ServiceName, type ServiceObject, serviceNameOf } from './service-name';

/** Props of DstOverride. */
export interface DstOverrideProps {
  /** The service that the requests are for, as an object or by name. The Middleware lies in its namespace. */
  readonly service: ServiceObject | ServiceName;

  /** Port of the service; it has to speak HTTP there. */
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
  port: true,
  name: true,
  clusterDomain: true,
});

/**
 * A Traefik Middleware that tells Linkerd which service a request is for: Traefik itself connects to one of its pods,
 * and Linkerd could neither balance the load nor know the service's routes. For a Traefik in ingress mode.
 *
 * @example
 * new DstOverride(shop, 'web-destination', { service: web, port: 80 }).attachTo(ingress);
 */
export class DstOverride extends Construct {
  /** Name of the Middleware. */
  readonly middlewareName: string;
  /** Namespace of the Middleware, which is the service's. */
  readonly namespace: string;
  /** The Middleware as Traefik's annotations name it. */
  readonly reference: string;
  /** The service that requests are sent to. */
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
      // A name that follows from the service's is wrong only where that is.
      ...(given.name === undefined ? [] : checkDnsSubdomain('name', given.name)),
      ...checkDnsSubdomain('clusterDomain', domain),
    ]);
  }

  /**
   * Has an Ingress, or the routes of an IngressRoute that lead to the service, use the Middleware, after those that it
   * uses already.
   */
  attachTo(ingress: ApiObject | PlusResource): void {
    const object = apiObjectOf(ingress);
    const attach = object.kind === 'IngressRoute' ? attachToIngressRoute : attachToIngress;
    attach(object, this);
  }
}
