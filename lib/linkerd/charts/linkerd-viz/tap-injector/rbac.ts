import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import type { RenderContext } from '../../render-context';
import { VIZ, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** Renders the permissions of the tap injector: see whether a namespace wants to be left alone. */
export function tapInjectorRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const labels = withCommonLabels(values, VIZ);
  const metadata = { name: 'linkerd-tap-injector', labels };
  return [
    serviceAccount(values, { name: 'tap-injector', namespace, labels }),
    clusterRole(metadata, [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] }]),
    clusterRoleBinding(metadata, metadata.name, [account('tap-injector', namespace)]),
  ];
}
