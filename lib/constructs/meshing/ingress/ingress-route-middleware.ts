import type { ApiObject } from 'cdk8s';
import type { IngressRoute } from '../../../../imports/crds/traefik.io';
import { addRule } from '../../../gitops/tree/add-rule';
import { describeApiObject } from '../../../gitops/tree/meshable';
import { appendAt, pointer } from '../../../kubernetes/json-pointer';
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
      return [
        {
          code: 'route-not-found',
          what: `${describeApiObject(ingressRoute)} is to use the Middleware of Service ${namespace}/${serviceName}, but no route leads to that service alone`,
          why: 'The Middleware sends all requests of a route to one service, so it was attached to none',
          fix: `add a route whose only service is ${serviceName}, in the namespace ${namespace}`,
        },
      ];
    }
    if (own === namespace) return [];
    return [
      {
        code: 'middleware-foreign',
        what: `${describeApiObject(ingressRoute)} uses the Middleware ${namespace}/${name} of another namespace`,
        why: 'Traefik refuses that, and drops the route, unless providers.kubernetesCRD.allowCrossNamespace is on, for everybody then',
        fix: `put the IngressRoute into the namespace ${namespace}`,
      },
    ];
  });
}
