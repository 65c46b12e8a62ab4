import { print } from '../../print';
import type { ControlPlaneView } from '../control-plane-view';

/** Arguments by which a controller sends its own traces to the collector, if it does. */
export function tracingArguments(values: ControlPlaneView): readonly string[] {
  return values.templates.tracing === 'extension' ? toExtension(values) : toCollector(values);
}

function toCollector({ controller, proxy }: ControlPlaneView): readonly string[] {
  if (!controller.tracing.enabled) return [];
  return [`-trace-collector=${controller.tracing.collector.endpoint || proxy.tracing.collector.endpoint || ''}`];
}

/** The collector of linkerd-jaeger, by OpenCensus. */
function toExtension(values: ControlPlaneView): readonly string[] {
  const { controlPlaneTracing, controlPlaneTracingNamespace, clusterDomain } = values;
  if (!controlPlaneTracing) return [];
  return [print`-trace-collector=collector.${controlPlaneTracingNamespace}.svc.${clusterDomain}:55678`];
}
