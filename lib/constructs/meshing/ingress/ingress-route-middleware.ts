import type { ApiObject } from 'cdk8s';
import type { IngressRoute } from '../../../../imports/crds/traefik.io';
import { addRule } from '../../../gitops/tree/add-rule';
import { describeApiObject } from '../../../gitops/tree/meshable';
import { appendAt, pointer } from '../../../kubernetes/json-pointer';
import { MESHING_FINDINGS } from '../findings';
import type { ServiceMiddleware } from './ingress-middleware';

type Route = IngressRoute['spec']['routes'][number];

/** Has the routes of an IngressRoute that lead to the Middleware's service, and to no other, use it. */
export function attachToIngressRoute(ingressRoute: ApiObject, middleware: ServiceMiddleware): void {
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
      return [MESHING_FINDINGS.routeNotFound({ ingressRoute: describeApiObject(ingressRoute), service })];
    }
    if (own === namespace) return [];
    return [
      MESHING_FINDINGS.middlewareForeign({
        ingressRoute: describeApiObject(ingressRoute),
        middleware: `${namespace}/${name}`,
        namespace,
      }),
    ];
  });
}
