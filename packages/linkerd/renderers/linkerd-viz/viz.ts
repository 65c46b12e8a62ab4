import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { NativeRenderer } from '../../charts/chart';
import type { RenderContext } from '../../charts/render-context';
import type { VizTemplates } from '../../releases/groups/viz';
import { unlessEmpty } from '../empty';
import { creator } from '../metadata/created-by';
import { applicationLabels, withCommonLabels } from '../metadata/labels';
import { NAMESPACE_METADATA, namespaceMetadataObjects } from '../metadata/namespace-metadata';
import { serviceAccount } from '../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes, tokenAutomount } from '../pod/kube-api-access';
import { scheduling } from '../pod/scheduling';
import { unprivileged } from '../pod/security-context';
import { unquoted } from '../print';
import { VIZ_DIFFERENCES, VIZ_FIXES, VIZ_REFUSALS } from './intended-differences';
import { VIZ } from './metadata';
import { metricsApi } from './metrics-api';
import { serviceProfiles, vizPolicy } from './policy';
import { prometheus } from './prometheus/prometheus';
import { checkVizRender } from './render-rules';
import { tap } from './tap';
import { tapInjector } from './tap-injector';
import { type VizView, vizView } from './viz-view';
import { web } from './web';
import { releasedImage } from './workload';

/** Returns the native renderer of linkerd-viz. */
export function vizRenderer(templates: VizTemplates): NativeRenderer {
  return deepFreeze({
    check: (values) => checkVizRender(values, templates),
    render: (values, context) => renderViz(values, context, templates),
    intended: { differences: VIZ_DIFFERENCES, refusals: VIZ_REFUSALS, fixes: VIZ_FIXES },
  });
}

/**
 * Renders all objects of Viz, equal to those of the official chart of a release except for `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's merged over the chart's own; null removes a key. Check them with
 * `checkVizRender` first.
 */
function renderViz(values: Values, context: RenderContext, templates: VizTemplates): readonly KubernetesObject[] {
  const view = vizView(values, templates);
  return [
    ...metricsApi(view, context),
    ...tap(view, context),
    ...tapInjector(view, context),
    ...web(view, context),
    ...prometheus(view, context),
    ...vizPolicy(view, context),
    ...serviceProfiles(view, context),
    ...(view.createNamespaceMetadataJob ? namespaceMetadata(view, context) : []),
  ];
}

function namespaceMetadata(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const labels = { ...applicationLabels(NAMESPACE_METADATA, values.linkerdVersion), ...VIZ };
  return namespaceMetadataObjects({
    namespace,
    linkerdNamespace: values.linkerdNamespace ?? '',
    prefix: 'viz',
    annotations: creator(values),
    labels: withCommonLabels(values, VIZ),
    jobLabels: withCommonLabels(values, labels),
    podLabels: { ...labels, ...values.podLabels },
    serviceAccount: (metadata) => serviceAccount(values, metadata),
    pod: {
      ...scheduling(values.namespaceMetadata),
      ...tokenAutomount(values),
      volumes: unlessEmpty(apiAccessVolumes(values)),
    },
    container: {
      ...releasedImage(values, values.namespaceMetadata.image),
      args: argumentsOf(values, namespace),
      securityContext: unprivileged(values.defaultUID, values.defaultGID),
      volumeMounts: unlessEmpty(apiAccessMounts(values)),
    },
  });
}

function argumentsOf(values: VizView, namespace: string): string[] {
  const options: Readonly<Record<string, string | undefined>> = {
    '--log-format': values.defaultLogFormat,
    '--log-level': values.defaultLogLevel,
    '--extension': 'viz',
    '--namespace': namespace,
    '--linkerd-namespace': values.linkerdNamespace,
    ...(values.prometheusUrl ? { '--prometheus-url': values.prometheusUrl } : {}),
  };
  return Object.entries(options).flatMap(([option, value = '']) => [option, unquoted(value) ?? '']);
}
