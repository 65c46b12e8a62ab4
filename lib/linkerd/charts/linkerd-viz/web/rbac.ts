import type { PolicyRule } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { account, clusterRole, clusterRoleBinding, role, roleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import type { RenderContext } from '../../render-context';
import { component, namespacedComponent, withCommonLabels } from '../metadata/labels';
import { tapAdmin } from '../tap/rbac';
import type { VizView } from '../viz-view';

const CONFIG_RULE: PolicyRule = {
  apiGroups: [''],
  resources: ['configmaps'],
  verbs: ['get'],
  resourceNames: ['linkerd-config'],
};

/** Permissions of the dashboard's checks in the control plane's namespace. */
const CONTROL_PLANE_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces', 'configmaps'], verbs: ['get'] },
  { apiGroups: [''], resources: ['serviceaccounts', 'pods'], verbs: ['list'] },
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['list'] },
];

/** Their permissions in the whole cluster. */
const CHECK_RULES: readonly PolicyRule[] = [
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles', 'clusterrolebindings'], verbs: ['list'] },
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['list'] },
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    verbs: ['list'],
  },
  { apiGroups: ['linkerd.io'], resources: ['serviceprofiles'], verbs: ['list'] },
  { apiGroups: [''], resources: ['nodes', 'pods', 'services'], verbs: ['list'] },
  { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], verbs: ['get'] },
];

const API_RULES: readonly PolicyRule[] = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }];

/**
 * Renders the permissions of the dashboard: read the mesh's configuration and, unless that is restricted, tap and
 * check.
 */
export function webRbac(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const labels = withCommonLabels(values, namespacedComponent('web', namespace));
  return [
    serviceAccount(values, { name: 'web', namespace, labels }),
    ...controlPlaneRbac(values, context),
    ...(values.dashboard.restrictPrivileges ? [] : clusterRbac(values, context)),
  ];
}

function controlPlaneRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { dashboard, linkerdNamespace = '' } = values;
  const labels = withCommonLabels(values, namespacedComponent('web', linkerdNamespace));
  const metadata = { name: 'web', namespace: linkerdNamespace, labels };
  return [
    role(metadata, [CONFIG_RULE, ...(dashboard.restrictPrivileges ? [] : CONTROL_PLANE_RULES)]),
    roleBinding(metadata, ['Role', metadata.name], [account('web', namespace)]),
  ];
}

function clusterRbac(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const labels = withCommonLabels(values, component('web'));
  const web = [account('web', namespace)];
  const named = (purpose: string) => ({ name: `linkerd-${namespace}-web-${purpose}`, labels });
  return [
    clusterRole(named('check'), CHECK_RULES),
    clusterRoleBinding(named('check'), named('check').name, web),
    clusterRoleBinding(named('admin'), tapAdmin(context), web),
    clusterRole(named('api'), API_RULES),
    clusterRoleBinding(named('api'), named('api').name, web),
  ];
}
