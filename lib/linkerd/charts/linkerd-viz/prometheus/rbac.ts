import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import type { RenderContext } from '../../render-context';
import { component, namespacedComponent, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** Renders the permissions of Prometheus: find what to scrape, and scrape nodes through the API server. */
export function prometheusRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const metadata = {
    name: `linkerd-${namespace}-prometheus`,
    labels: withCommonLabels(values, component('prometheus')),
  };
  const labels = withCommonLabels(values, namespacedComponent('prometheus', namespace));
  return [
    serviceAccount(values, { name: 'prometheus', namespace, labels }),
    clusterRole(metadata, [
      { apiGroups: [''], resources: ['nodes', 'nodes/proxy', 'pods'], verbs: ['get', 'list', 'watch'] },
    ]),
    clusterRoleBinding(metadata, metadata.name, [account('prometheus', namespace)]),
  ];
}
