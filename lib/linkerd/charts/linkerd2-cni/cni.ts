import type { Values } from '#base/values';
import type { PolicyRule, ServiceAccount } from '#imports/kubernetes';
import type { RenderContext } from '#lib/charts/render-context';
import type { KubernetesObject } from '#lib/kubernetes/kubernetes-object';
import type { CniTemplates } from '../../releases/groups/cni';
import { withoutNulls } from '../chart-view';
import { isEmpty } from '../empty';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { type CniView, cniView } from './cni-view';
import { cniDaemonSet } from './daemon-set';
import { labels, NAME } from './metadata';
import { cniConfigMap } from './network-config';

/**
 * Renders all objects of the CNI plugin, equal to those of the official chart of a release except for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's merged over the chart's own; null removes a key. Check them with
 * `checkCniRender` first.
 */
export function renderCni(
  values: Values,
  context: RenderContext,
  templates: CniTemplates,
): readonly KubernetesObject[] {
  const view = cniView(withoutNulls(values), templates);
  return [...cniRbac(view, context), cniConfigMap(view, context), cniDaemonSet(view, context)];
}

const READ: PolicyRule = {
  apiGroups: [''],
  resources: ['pods', 'nodes', 'namespaces', 'services'],
  verbs: ['list', 'get', 'watch'],
};

/** The repair controller deletes pods that started before the plugin was installed, and emits events. */
const REPAIR: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: ['delete'] },
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] },
];

function cniRbac(values: CniView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const metadata = { name: NAME, labels: labels(values) };
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { ...metadata, namespace },
      imagePullSecrets: isEmpty(values.imagePullSecrets) ? undefined : values.imagePullSecrets,
    } satisfies ServiceAccount,
    clusterRole(metadata, [READ, ...(values.repairController.enabled ? REPAIR : [])]),
    clusterRoleBinding(metadata, NAME, [account(NAME, namespace)]),
  ];
}
