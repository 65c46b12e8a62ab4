import type { PolicyRule } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import type { RenderContext } from '../../render-context';
import { component, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

const READ = ['list', 'get', 'watch'];

const RULES: readonly PolicyRule[] = [
  {
    apiGroups: ['extensions', 'apps'],
    resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
    verbs: READ,
  },
  { apiGroups: ['extensions', 'batch'], resources: ['cronjobs', 'jobs'], verbs: READ },
  {
    apiGroups: [''],
    resources: ['pods', 'endpoints', 'services', 'replicationcontrollers', 'namespaces'],
    verbs: READ,
  },
  { apiGroups: ['linkerd.io'], resources: ['serviceprofiles'], verbs: READ },
  {
    apiGroups: ['policy.linkerd.io'],
    resources: ['servers', 'serverauthorizations', 'authorizationpolicies', 'httproutes'],
    verbs: ['list', 'get'],
  },
];

/** Renders the permissions of metrics-api: name the workloads that metrics belong to. */
export function metricsApiRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const labels = withCommonLabels(values, component('metrics-api'));
  const name = `linkerd-${namespace}-metrics-api`;
  return [
    serviceAccount(values, { name: 'metrics-api', namespace, labels }),
    clusterRole({ name, labels }, RULES),
    clusterRoleBinding({ name, labels }, name, [account('metrics-api', namespace)]),
  ];
}
