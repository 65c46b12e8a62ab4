import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { withCommonLabels } from '../metadata';

/** Renders the permissions of the injector: see what namespaces say of traces. */
export function injectorRbac(values: JaegerView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const name = 'jaeger-injector';
  const labels = withCommonLabels(values);
  const metadata = { name: `linkerd-${name}`, labels };
  return [
    serviceAccount(values, { name, namespace, labels }),
    clusterRole(metadata, [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] }]),
    clusterRoleBinding(metadata, metadata.name, [{ ...account(name, namespace), apiGroup: '' }]),
  ];
}
