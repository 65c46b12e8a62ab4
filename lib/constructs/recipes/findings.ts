import { catalogue } from '#base/findings/catalogue';

/** Findings about recipes. */
export const RECIPES_FINDINGS = catalogue({
  'namespace-meshed/longhorn': {
    severity: 'error',
    what: ({ namespace, annotation, mode }: Record<'namespace' | 'annotation' | 'mode', string>) =>
      `Namespace ${namespace}, where the engines and replicas of Longhorn run, has ${annotation}: "${mode}"`,
    why: 'Every read and write of a volume would pass two proxies, and jobs of Longhorn whose proxies are not native sidecars would not end',
    fix: ({ namespace }: { namespace: string }) =>
      `do not mesh the namespace ${namespace}: only the manager and the dashboard may be part of the mesh`,
  },
  'namespace-meshed/ingress-nginx': {
    severity: 'error',
    what: ({ namespace, annotation, mode }: Record<'namespace' | 'annotation' | 'mode', string>) =>
      `Namespace ${namespace}, where ingress-nginx is installed, has ${annotation}: "${mode}"`,
    why: 'This also adds the jobs of the chart to the mesh: proxies that are not native sidecars keep them from ending, and the installation hangs',
    fix: ({ namespace }: { namespace: string }) =>
      `do not mesh the namespace ${namespace}: ingressNginxValues() meshes the pods of the controller`,
  },

  // Ingresses.
  'middleware-refused/object': {
    severity: 'error',
    what: ({ call, object }: { call: string; object: string }) => `${call} is called for ${object}`,
    why: ({ controller }: { controller: string }) => `${controller} reads the annotation only on Ingresses`,
    fix: ({ kinds }: { kinds: string }) => `call it for ${kinds}`,
  },
  'middleware-refused/services': {
    severity: 'error',
    what: ({ ingress, service, services }: Record<'ingress' | 'service' | 'services', string>) =>
      `${ingress} uses the Middleware of Service ${service}, but routes to ${services}`,
    why: ({ service }: { service: string }) =>
      `The annotation applies to the whole Ingress: all its requests would go to ${service}`,
    fix: 'use a separate Ingress and DstOverride for each service',
  },
  'middleware-refused/route': {
    severity: 'error',
    what: ({ ingressRoute, service }: { ingressRoute: string; service: string }) =>
      `${ingressRoute} would use the Middleware of Service ${service}, but no route has that service as its only backend`,
    why: 'The Middleware sends all requests of a route to one service, so it was attached to none',
    fix: ({ service }: { service: string }) => `add a route whose only service is ${service}`,
  },
  'middleware-refused/namespace': {
    severity: 'error',
    what: ({ ingressRoute, middleware }: { ingressRoute: string; middleware: string }) =>
      `${ingressRoute} uses the Middleware ${middleware} of another namespace`,
    why: 'Traefik refuses this and drops the route, unless providers.kubernetesCRD.allowCrossNamespace is on, which then applies to all routes',
    fix: ({ namespace }: { namespace: string }) => `move the IngressRoute to the namespace ${namespace}`,
  },
});
