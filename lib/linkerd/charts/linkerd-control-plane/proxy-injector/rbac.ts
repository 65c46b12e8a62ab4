import type { PolicyRule } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { component, labels } from '../../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { serviceAccount } from '../metadata/service-account';

const READ = ['list', 'get', 'watch'];

const RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  { apiGroups: [''], resources: ['namespaces', 'replicationcontrollers'], verbs: READ },
  { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
  {
    apiGroups: ['extensions', 'apps'],
    resources: ['deployments', 'replicasets', 'daemonsets', 'statefulsets'],
    verbs: READ,
  },
  { apiGroups: ['extensions', 'batch'], resources: ['cronjobs', 'jobs'], verbs: READ },
];

/**
 * Renders the permissions of the injector: find the workload and the namespace of a pod, and leave events at the
 * workload.
 */
export function proxyInjectorRbac(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const own = labels(values, namespace, component('proxy-injector'));
  const metadata = { name: `linkerd-${namespace}-proxy-injector`, labels: own };
  const subject = { ...account('linkerd-proxy-injector', namespace), apiGroup: '' };
  return [
    serviceAccount(values, context, 'proxy-injector'),
    clusterRole(metadata, RULES),
    clusterRoleBinding(metadata, metadata.name, [subject]),
  ];
}
