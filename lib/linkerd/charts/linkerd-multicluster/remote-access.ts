import type { PolicyRule, Secret } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { serviceAccount } from '../metadata/service-account';
import type { RenderContext } from '../render-context';
import { creator, labels } from './metadata';
import type { MulticlusterView } from './multicluster-view';
import { remoteAccounts } from './named-values';

const READ = ['list', 'get', 'watch'];

const RULES: readonly PolicyRule[] = [
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: READ },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: READ },
  { apiGroups: [''], resources: ['pods', 'endpoints', 'services'], verbs: READ },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
  { apiGroups: ['policy.linkerd.io'], resources: ['servers'], verbs: READ },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['linkerd-config'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
];

/** The accounts by which other clusters read this one's services, each with a token that Kubernetes makes. */
export function remoteAccess(values: MulticlusterView, { namespace }: RenderContext): readonly KubernetesObject[] {
  return remoteAccounts(values).flatMap((name) => {
    const metadata = { name, labels: labels(values), annotations: creator(values) };
    return [
      clusterRole(metadata, RULES),
      serviceAccount(values, { ...metadata, namespace }),
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: `${name}-token`,
          namespace,
          labels: labels(values),
          annotations: { 'kubernetes.io/service-account.name': name, ...creator(values) },
        },
        type: 'kubernetes.io/service-account-token',
      } satisfies Secret,
      clusterRoleBinding(metadata, name, [account(name, namespace)]),
    ];
  });
}
