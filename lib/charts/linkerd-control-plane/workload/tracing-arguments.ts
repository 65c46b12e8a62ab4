import type { ControlPlaneView } from '../control-plane-view';

/** Arguments by which a controller sends its own traces to the collector, if it does. */
export function tracingArguments({ controller, proxy }: ControlPlaneView): readonly string[] {
  if (!controller.tracing.enabled) return [];
  return [`-trace-collector=${controller.tracing.collector.endpoint || proxy.tracing.collector.endpoint || ''}`];
}
