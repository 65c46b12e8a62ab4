import type { PodMonitor } from '#imports/crds/monitoring.coreos.com';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { createdBy } from '../metadata/created-by';
import { labels } from '../metadata/labels';
import {
  chartMirrorRelabelings,
  controllerRelabelings,
  proxyRelabelings,
  type Relabeling,
  withoutJob,
} from '../relabelings';
import type { ControlPlaneView } from './control-plane-view';

const COMPONENT = '__meta_kubernetes_pod_label_linkerd_io_control_plane_component';

interface Scrape {
  readonly name: string;
  readonly namespaceSelector: ScrapedNamespaces;
  readonly honorTimestamps: boolean | undefined;
  readonly relabelings: readonly Relabeling[];
}

/** Renders the chart's own PodMonitors, for users without the construct for PodMonitors. */
export function chartPodMonitors(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { enabled, controller, serviceMirror, proxy } = values.podMonitor;
  const { controllers, mirrors } = values.templates.chartMonitors;
  if (!enabled) return [];
  const everywhere = { any: true };
  return [
    ...(controller.enabled
      ? [
          podMonitor(values, context, {
            name: 'linkerd-controller',
            namespaceSelector: scrapedNamespaces(controller.namespaceSelector ?? '', context.namespace),
            honorTimestamps: controller.honorTimestamps,
            relabelings: withoutJob(controllerRelabelings(controllers)),
          }),
        ]
      : []),
    ...(serviceMirror.enabled
      ? [
          podMonitor(values, context, {
            name: mirrors.name,
            namespaceSelector: everywhere,
            honorTimestamps: serviceMirror.honorTimestamps,
            relabelings: chartMirrorRelabelings(COMPONENT, mirrors.ports, mirrors.components),
          }),
        ]
      : []),
    ...(proxy.enabled
      ? [
          podMonitor(values, context, {
            name: 'linkerd-proxy',
            namespaceSelector: everywhere,
            honorTimestamps: proxy.honorTimestamps,
            relabelings: withoutJob(proxyRelabelings(context.namespace)),
          }),
        ]
      : []),
  ];
}

function podMonitor(values: ControlPlaneView, { namespace }: RenderContext, scrape: Scrape): KubernetesObject {
  const { scrapeInterval, scrapeTimeout, labels: own } = values.podMonitor;
  const { honorTimestamps, relabelings } = scrape;
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: {
      name: scrape.name,
      namespace,
      labels: { ...labels(values, namespace), ...own },
      annotations: createdBy(values),
    },
    spec: {
      namespaceSelector: scrape.namespaceSelector,
      selector: { matchLabels: {} },
      podMetricsEndpoints: [{ interval: scrapeInterval, scrapeTimeout, honorTimestamps, relabelings }],
    },
  } satisfies PodMonitor;
}

type ScrapedNamespaces = NonNullable<PodMonitor['spec']['namespaceSelector']>;

const RELEASE_NAMESPACE = /\{\{ *\.Release\.Namespace *\}\}/g;

/**
 * Parses the namespace selector, which values contain as a template. Only the namespace of the release is filled in.
 *
 * @throws Error if it is invalid YAML, or contains other templates
 */
export function scrapedNamespaces(template: string, namespace: string): ScrapedNamespaces {
  const text = template.replace(RELEASE_NAMESPACE, namespace);
  if (text.includes('{{')) throw new Error('it has templates other than {{ .Release.Namespace }}');
  // Loaded on demand: loading takes as long as rendering a control plane.
  const { parse } = require('yaml') as typeof import('yaml');
  const selector: unknown = parse(text, { version: '1.1' });
  if (typeof selector !== 'object' || selector === null) throw new Error('it is not a map');
  return selector;
}
