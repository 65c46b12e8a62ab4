import type { PolicyRule } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { account, clusterRole, clusterRoleBinding, roleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import type { RenderContext } from '../../render-context';
import { component, namespacedComponent, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

const READ = ['list', 'get', 'watch'];

const TAP_RULES: readonly PolicyRule[] = [
  {
    apiGroups: [''],
    resources: ['pods', 'services', 'replicationcontrollers', 'namespaces', 'nodes'],
    verbs: READ,
  },
  {
    apiGroups: ['extensions', 'apps'],
    resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
    verbs: READ,
  },
  { apiGroups: ['extensions', 'batch'], resources: ['cronjobs', 'jobs'], verbs: READ },
];

const ADMIN_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
  { apiGroups: ['tap.linkerd.io'], resources: ['*'], verbs: ['watch'] },
];

/** Name of the ClusterRole of those who may tap everything. */
export function tapAdmin({ namespace }: RenderContext): string {
  return `linkerd-${namespace}-tap-admin`;
}

/**
 * Renders the permissions of tap (find pods, and ask the API server who its clients are), and a role for those who may
 * use it.
 */
export function tapRbac(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const labels = withCommonLabels(values, component('tap'));
  const namespacedLabels = withCommonLabels(values, namespacedComponent('tap', namespace));
  const name = `linkerd-${namespace}-tap`;
  const tap = [account('tap', namespace)];
  return [
    serviceAccount(values, { name: 'tap', namespace, labels: namespacedLabels }),
    clusterRole({ name, labels }, TAP_RULES),
    clusterRole({ name: tapAdmin(context), labels }, ADMIN_RULES),
    clusterRoleBinding({ name, labels }, name, tap),
    clusterRoleBinding({ name: `${name}-auth-delegator`, labels }, 'system:auth-delegator', tap),
    roleBinding(
      { name: `${name}-auth-reader`, namespace: 'kube-system', labels: namespacedLabels },
      ['Role', 'extension-apiserver-authentication-reader'],
      tap,
    ),
  ];
}
