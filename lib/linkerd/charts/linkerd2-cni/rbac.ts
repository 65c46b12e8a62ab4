import type { PolicyRule, ServiceAccount } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isEmpty } from '../empty';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import type { RenderContext } from '../render-context';
import type { CniView } from './cni-view';
import { labels, NAME } from './metadata';

const READ: PolicyRule = {
  apiGroups: [''],
  resources: ['pods', 'nodes', 'namespaces', 'services'],
  verbs: ['list', 'get', 'watch'],
};

/** The repair controller deletes pods that started before the plugin was there, and says so. */
const REPAIR: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: ['delete'] },
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] },
];

/** Renders the permissions of the plugin: see how a pod wants its traffic redirected. */
export function cniRbac(values: CniView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const metadata = { name: NAME, labels: labels(values) };
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { ...metadata, namespace },
      imagePullSecrets: isEmpty(values.imagePullSecrets) ? undefined : values.imagePullSecrets,
    } satisfies ServiceAccount,
    clusterRole(metadata, [READ, ...(values.repairController.enabled ? REPAIR : [])]),
    clusterRoleBinding(metadata, NAME, [account(NAME, namespace)]),
  ];
}
