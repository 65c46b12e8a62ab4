import type { PolicyRule } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { component, labels, PART_OF_LINKERD } from '../../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { GATEWAY_GROUP, gatewayRoutes, POLICY_GROUP, policyResources } from './policy-resources';

const READ = ['get', 'list', 'watch'];

const RESOURCES = [
  'authorizationpolicies',
  'httplocalratelimitpolicies',
  'httproutes',
  'meshtlsauthentications',
  'networkauthentications',
  'servers',
  'serverauthorizations',
  'egressnetworks',
];
const WITH_STATUS = ['httproutes', 'httplocalratelimitpolicies', 'egressnetworks'];

function policyRules({ templates }: ControlPlaneView): readonly PolicyRule[] {
  const statuses = (resources: readonly string[]) => resources.map((resource) => `${resource}/status`);
  const routes = gatewayRoutes(templates);
  return [
    { apiGroups: [''], resources: ['pods'], verbs: READ },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
    { apiGroups: [POLICY_GROUP], resources: policyResources(templates, RESOURCES), verbs: READ },
    { apiGroups: [GATEWAY_GROUP], resources: routes, verbs: READ },
    { apiGroups: [POLICY_GROUP], resources: statuses(policyResources(templates, WITH_STATUS)), verbs: ['patch'] },
    { apiGroups: [GATEWAY_GROUP], resources: statuses(routes), verbs: ['patch'] },
    ...(templates.egressAndExternalWorkloads
      ? [{ apiGroups: ['workload.linkerd.io'], resources: ['externalworkloads'], verbs: READ }]
      : []),
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'patch'] },
  ];
}

/** Renders the permissions of the policy controller, which runs beside the destination controller under its account. */
export function policyRbac(values: ControlPlaneView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const own = labels(values, namespace, { ...PART_OF_LINKERD, ...component('destination') });
  return [
    clusterRole({ name: 'linkerd-policy', labels: own }, policyRules(values)),
    clusterRoleBinding({ name: 'linkerd-destination-policy', labels: own }, 'linkerd-policy', [
      account('linkerd-destination', namespace),
    ]),
  ];
}
