import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { PolicyRule, ServiceAccount } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { NativeRenderer } from '../../charts/chart';
import type { RenderContext } from '../../charts/render-context';
import type { CniTemplates } from '../../releases/groups/cni';
import { withoutNulls } from '../chart-view';
import { isEmpty } from '../empty';
import { LINKERD_CHART_FINDINGS } from '../findings';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { checkImageVersions, checkMissingMaps, checkMissingTexts } from '../missing-values';
import { checkPodSecurityPolicy } from '../pod-security-policy';
import { checkPrivateKeys } from '../private-keys';
import { type CniView, cniView } from './cni-view';
import { cniDaemonSet } from './daemon-set';
import { CNI_DIFFERENCES, CNI_REFUSALS } from './intended-differences';
import { labels, NAME } from './metadata';
import { cniConfigMap } from './network-config';

/** Returns the native renderer of linkerd2-cni. */
export function cniRenderer(templates: CniTemplates): NativeRenderer {
  return deepFreeze({
    check: (values) => checkCniRender(values, templates),
    render: (values, context) => renderCni(values, context, templates),
    intended: { differences: CNI_DIFFERENCES, refusals: CNI_REFUSALS, fixes: [] },
  });
}

/**
 * Renders all objects of the CNI plugin, equal to those of the official chart of a release except for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's merged over the chart's own; null removes a key. Check them with
 * `checkCniRender` first.
 */
function renderCni(values: Values, context: RenderContext, templates: CniTemplates): readonly KubernetesObject[] {
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

/** Values that the template prints into the JSON of the network configuration without checking that they exist. */
const PRINTED = ['inboundProxyPort', 'outboundProxyPort', 'proxyUID', 'useWaitFlag'];

const REDIRECTION = ['iptablesMode', 'proxyGID'];

/**
 * Checks that the CNI plugin can be rendered: reports values that the official chart refuses, and private keys that
 * would be in Git.
 *
 * @param values - all values of the chart, as for `renderCni`
 */
export function checkCniRender(values: Values, { redirectionChosen }: CniTemplates): readonly Problem[] {
  const given = withoutNulls(values);
  return [
    ...checkMissingMaps(given, ['image', 'repairController']),
    ...checkMissingTexts(given, [...PRINTED, ...(redirectionChosen ? REDIRECTION : [])]),
    ...checkImageVersions(given, [], ['image.version']),
    ...(redirectionChosen ? checkAddressFamily(given) : []),
    ...checkPodSecurityPolicy(given),
    ...checkPrivateKeys(given),
  ];
}

function checkAddressFamily({ disableIPv6 }: Values): readonly Problem[] {
  if (typeof disableIPv6 === 'boolean') return [];
  return [
    LINKERD_CHART_FINDINGS.chartValueRefusedIpv6(
      { value: JSON.stringify(disableIPv6 ?? null) },
      { about: 'values.disableIPv6' },
    ),
  ];
}
