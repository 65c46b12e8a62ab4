import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { hookAnnotations } from '../../metadata/hook';
import { account, role, roleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import type { RenderContext } from '../../render-context';
import { creator } from '../metadata/creator';
import { VIZ, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** Renders the permissions of the job: patch its own namespace, and read the control plane's configuration. */
export function namespaceMetadataRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { linkerdNamespace = '' } = values;
  const name = 'namespace-metadata';
  const metadata = {
    labels: withCommonLabels(values, VIZ),
    annotations: { ...creator(values), ...hookAnnotations(0) },
  };
  const own = { name, namespace, ...metadata };
  const job = [account(name, namespace)];
  return [
    serviceAccount(values, own),
    role(own, [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'patch'], resourceNames: [namespace] }]),
    roleBinding(own, ['Role', name], job),
    roleBinding(
      { name: `viz-${name}-linkerd-config`, namespace: linkerdNamespace, ...metadata },
      ['Role', `ext-${name}-linkerd-config`],
      job,
    ),
  ];
}
