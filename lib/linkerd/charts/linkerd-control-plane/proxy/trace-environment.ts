import type { EnvVar } from '../../../../../imports/kubernetes';
import { env } from '../../pod/environment';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import type { ControlPlaneView } from '../control-plane-view';

/** The folder in which the proxy finds the labels and annotations of its pod. */
export const POD_INFO_PATH = '/var/run/linkerd/podinfo';

/** Returns the variables that tell a proxy where to send its traces, if it does, and what of its pod to say in them. */
export function traceEnvironment(values: ControlPlaneView, { namespace }: RenderContext): readonly EnvVar[] {
  const { enabled, collector, labels, traceServiceName } = values.proxy.tracing;
  if (!enabled) return [];
  const domain = values.templates.traceCollectorDomain === 'trustDomain' ? trustDomain(values) : values.clusterDomain;
  const { serviceAccountName, namespace: collectorNamespace } = collector.meshIdentity;
  return [
    env('LINKERD2_PROXY_TRACE_ATTRIBUTES_PATH', `${POD_INFO_PATH}/labels`),
    env('LINKERD2_PROXY_TRACE_ANNOTATIONS_PATH', `${POD_INFO_PATH}/annotations`),
    env('LINKERD2_PROXY_TRACE_PROTOCOL', 'opentelemetry'),
    env('LINKERD2_PROXY_TRACE_SERVICE_NAME', traceServiceName),
    env('LINKERD2_PROXY_TRACE_COLLECTOR_SVC_ADDR', collector.endpoint),
    env(
      'LINKERD2_PROXY_TRACE_COLLECTOR_SVC_NAME',
      print`${serviceAccountName}.${collectorNamespace}.serviceaccount.identity.${namespace}.${domain}`,
    ),
    env('LINKERD2_PROXY_TRACE_EXTRA_ATTRIBUTES', attributes(labels)),
  ];
}

/** One `key=value` per line. */
function attributes(labels: Readonly<Record<string, string>> = {}): string {
  const keys = Object.keys(labels).sort();
  return keys.map((key) => `${key}=${labels[key]}\n`).join('');
}
