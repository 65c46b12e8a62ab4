import type { PolicyRule } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { component, labels, PART_OF_LINKERD } from '../../metadata/labels';
import { account, clusterRole, clusterRoleBinding, role, roleBinding } from '../../metadata/rbac';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { serviceAccount } from '../metadata/service-account';

const READ = ['list', 'get', 'watch'];

/** Permissions to watch external workloads, and to agree on the replica that writes their slices. */
const EXTERNAL_WORKLOADS: readonly PolicyRule[] = [
  { apiGroups: ['workload.linkerd.io'], resources: ['externalworkloads'], verbs: READ },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update', 'patch'] },
];

/**
 * Renders the permissions of the destination controller: read what traffic goes to, and own the slices of external
 * workloads.
 */
export function destinationRbac(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const subjects = [account('linkerd-destination', namespace)];
  const own = component('destination');
  const controller = { name: `linkerd-${namespace}-destination`, labels: labels(values, namespace, own) };
  const partOf = { namespace, labels: labels(values, namespace, { ...PART_OF_LINKERD, ...own }) };
  return [
    serviceAccount(values, context, 'destination'),
    clusterRole(controller, destinationRules(values)),
    clusterRoleBinding(controller, controller.name, subjects),
    // Credentials of the API servers of linked clusters, whose services are discovered, too.
    role({ name: 'remote-discovery', ...partOf }, [
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
    ]),
    roleBinding({ name: 'linkerd-destination-remote-discovery', ...partOf }, ['Role', 'remote-discovery'], subjects),
  ];
}

function destinationRules({ enableEndpointSlices, templates }: ControlPlaneView): readonly PolicyRule[] {
  const ownsSlices = templates.egressAndExternalWorkloads;
  return [
    { apiGroups: ['apps'], resources: ['replicasets'], verbs: READ },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: READ },
    { apiGroups: [''], resources: ['pods', 'endpoints', 'services', 'nodes'], verbs: READ },
    { apiGroups: ['linkerd.io'], resources: ['serviceprofiles'], verbs: READ },
    ...(ownsSlices ? EXTERNAL_WORKLOADS : []),
    ...(enableEndpointSlices
      ? [
          {
            apiGroups: ['discovery.k8s.io'],
            resources: ['endpointslices'],
            verbs: ownsSlices ? [...READ, 'create', 'update', 'patch', 'delete'] : READ,
          },
        ]
      : []),
  ];
}
