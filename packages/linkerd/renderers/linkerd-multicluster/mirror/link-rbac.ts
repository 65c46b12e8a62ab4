import type { PolicyRule } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '#linkerd/charts/render-context';
import { account, clusterRole, clusterRoleBinding, role, roleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import { CLUSTER_NAME, component, labels } from '../metadata';
import type { MulticlusterView } from '../multicluster-view';

const READ = ['list', 'get', 'watch'];
const LEASES: PolicyRule = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['create', 'get', 'update', 'patch'],
};
const LINKS: PolicyRule = { apiGroups: ['multicluster.linkerd.io'], resources: ['links'], verbs: READ };
const MIRRORED: PolicyRule = {
  apiGroups: [''],
  resources: ['endpoints', 'services'],
  verbs: [...READ, 'create', 'delete', 'update'],
};
const NAMESPACES: PolicyRule = { apiGroups: [''], resources: ['namespaces'], verbs: READ };

const ACCESS = 'linkerd-multicluster-controller-access-local-resources';

/** Renders the permissions of all service mirrors: create the mirrors of other clusters' services. */
export function controllerRole(values: MulticlusterView): KubernetesObject {
  return clusterRole({ name: ACCESS, labels: labels(values, component('controller')) }, [
    MIRRORED,
    NAMESPACES,
    ...(values.enableNamespaceCreation ? [{ apiGroups: [''], resources: ['namespaces'], verbs: ['create'] }] : []),
  ]);
}

/** Renders the permissions of one service mirror: its link, and the credentials for the other cluster. */
export function linkRbac(
  values: MulticlusterView,
  { namespace }: RenderContext,
  link: string,
): readonly KubernetesObject[] {
  const name = `controller-${link}`;
  const credentials = `controller-read-remote-creds-${link}`;
  const metadata = { labels: labels(values, { ...component('controller'), [CLUSTER_NAME]: link }) };
  const own = { ...metadata, name: credentials, namespace };
  const subjects = [account(name, namespace)];
  return [
    serviceAccount(values, { ...metadata, name, namespace }),
    clusterRoleBinding({ ...metadata, name: `${ACCESS}-${link}` }, ACCESS, subjects),
    role(own, [
      { apiGroups: [''], resources: ['secrets'], resourceNames: [`cluster-credentials-${link}`], verbs: READ },
      LINKS,
      { apiGroups: ['multicluster.linkerd.io'], resources: ['links/status'], verbs: ['update', 'patch'] },
      LEASES,
    ]),
    roleBinding(own, ['Role', credentials], subjects),
  ];
}

/**
 * Renders the permissions of the mirror of this cluster's own services: create federated services, and report them in
 * links.
 */
export function localMirrorRbac(values: MulticlusterView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const localMirror = 'linkerd-local-service-mirror';
  const name = `${localMirror}-access-local-resources`;
  const metadata = { labels: labels(values, component('local-service-mirror')) };
  return [
    clusterRole({ ...metadata, name }, [
      MIRRORED,
      NAMESPACES,
      LEASES,
      LINKS,
      { apiGroups: ['multicluster.linkerd.io'], resources: ['links/status'], verbs: ['update'] },
    ]),
    clusterRoleBinding({ ...metadata, name }, name, [account(localMirror, namespace)]),
    serviceAccount(values, { ...metadata, name: localMirror, namespace }),
  ];
}
