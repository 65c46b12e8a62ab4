import { checkHeaderLogs } from '../../../../../operator/api/injection/header-logs';
import { checkSidecarWait } from '../../../../../operator/api/injection/native-sidecar';
import type { Problem } from '../../../../kubernetes/findings/problem';
import type { Values } from '../../../../kubernetes/values';
import { checkTracing } from '../../tracing-rules';
import type { ControlPlaneView } from '../control-plane-view';

/**
 * Reports what the chart refuses about proxies, and about tracing by the controllers, which may have the proxies'
 * collector.
 */
export function checkProxy(values: Values, { proxy, templates }: ControlPlaneView): readonly Problem[] {
  return [
    ...checkTracing(values),
    ...checkHeaderLogs(proxy),
    ...(templates.nativeSidecarRefusesWait ? checkSidecarWait(proxy) : []),
  ];
}
