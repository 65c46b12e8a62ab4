import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { labels } from '../../metadata/labels';
import { account, clusterRole, clusterRoleBinding, role, roleBinding } from '../../metadata/rbac';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { serviceAccount } from '../metadata/service-account';

const NAME = 'linkerd-heartbeat';

/** Renders the permissions of the heartbeat: read the mesh's configuration, and count namespaces and ServiceProfiles. */
export function heartbeatRbac(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const subjects = [account(NAME, namespace)];
  const metadata = { name: NAME, labels: labels(values, namespace) };
  return [
    serviceAccount(values, context, 'heartbeat'),
    role({ ...metadata, namespace }, [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['linkerd-config'] },
    ]),
    roleBinding({ ...metadata, namespace }, ['Role', NAME], subjects),
    clusterRole(metadata, [
      { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
      { apiGroups: ['linkerd.io'], resources: ['serviceprofiles'], verbs: ['list'] },
    ]),
    clusterRoleBinding(metadata, NAME, subjects),
  ];
}
