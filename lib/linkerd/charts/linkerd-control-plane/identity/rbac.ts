import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { component, labels } from '../../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { serviceAccount } from '../metadata/service-account';

/** Renders the permissions of the identity controller: check tokens of proxies, and leave events. */
export function identityRbac(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const metadata = { name: `linkerd-${namespace}-identity`, labels: labels(values, namespace, component('identity')) };
  return [
    serviceAccount(values, context, 'identity'),
    clusterRole(metadata, [
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    ]),
    clusterRoleBinding(metadata, metadata.name, [account('linkerd-identity', namespace)]),
  ];
}
