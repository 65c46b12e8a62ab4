import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** The findings of recipes. */
export const RECIPES_FINDINGS = catalogue({
  'data-plane-in-mesh': {
    severity: 'error',
    what: ({ namespace, annotation, mode }: Record<'namespace' | 'annotation' | 'mode', string>) =>
      `Namespace ${namespace}, where the engines and replicas of Longhorn run, has ${annotation}: "${mode}"`,
    why: 'Every read and write of a volume would pass two proxies, and jobs of Longhorn would not end',
    fix: ({ namespace }: { namespace: string }) =>
      `do not mesh the namespace ${namespace}: only the manager and the dashboard are meant to be part of the mesh`,
  },
  'jobs-in-mesh': {
    severity: 'error',
    what: ({ namespace, annotation, mode }: Record<'namespace' | 'annotation' | 'mode', string>) =>
      `Namespace ${namespace}, where ingress-nginx is installed, has ${annotation}: "${mode}"`,
    why: 'This also adds the jobs of the chart to the mesh: their proxies keep them from ending, and the installation hangs',
    fix: ({ namespace }: { namespace: string }) =>
      `do not mesh the namespace ${namespace}: ingressNginxValues() meshes the pods of the controller`,
  },
});
