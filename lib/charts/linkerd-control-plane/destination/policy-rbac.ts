import type { PolicyRule } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { component, labels, PART_OF_LINKERD } from '../../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { GATEWAY_GROUP, GATEWAY_ROUTES, POLICY_GROUP } from './policy-resources';

const READ = ['get', 'list', 'watch'];

const RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: READ },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
  {
    apiGroups: [POLICY_GROUP],
    resources: [
      'authorizationpolicies',
      'httplocalratelimitpolicies',
      'httproutes',
      'meshtlsauthentications',
      'networkauthentications',
      'servers',
      'serverauthorizations',
      'egressnetworks',
    ],
    verbs: READ,
  },
  { apiGroups: [GATEWAY_GROUP], resources: GATEWAY_ROUTES, verbs: READ },
  {
    apiGroups: [POLICY_GROUP],
    resources: ['httproutes/status', 'httplocalratelimitpolicies/status', 'egressnetworks/status'],
    verbs: ['patch'],
  },
  { apiGroups: [GATEWAY_GROUP], resources: GATEWAY_ROUTES.map((route) => `${route}/status`), verbs: ['patch'] },
  { apiGroups: ['workload.linkerd.io'], resources: ['externalworkloads'], verbs: READ },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'patch'] },
];

/** Renders the permissions of the policy controller, which runs beside the destination controller under its account. */
export function policyRbac(values: ControlPlaneView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const own = labels(values, namespace, { ...PART_OF_LINKERD, ...component('destination') });
  return [
    clusterRole({ name: 'linkerd-policy', labels: own }, RULES),
    clusterRoleBinding({ name: 'linkerd-destination-policy', labels: own }, 'linkerd-policy', [
      account('linkerd-destination', namespace),
    ]),
  ];
}
