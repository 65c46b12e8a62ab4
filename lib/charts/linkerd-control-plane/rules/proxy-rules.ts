import { checkHeaderLogs } from '../../../../operator/api/injection/header-logs';
import { violationOf } from '../../../../operator/api/violation';
import type { Problem } from '../../../problems/problem';
import type { Values } from '../../../releases/values';
import { checkTracing } from '../../tracing-rules';
import type { ControlPlaneView } from '../control-plane-view';

/**
 * Reports what the chart refuses about proxies, and about tracing by the controllers, which may have the proxies'
 * collector.
 */
export function checkProxy(values: Values, view: ControlPlaneView): readonly Problem[] {
  return [...checkTracing(values), ...checkHeaderLogs(view.proxy), ...checkWait(view)];
}

function checkWait({ proxy, templates }: ControlPlaneView): readonly Problem[] {
  if (!templates.nativeSidecarRefusesWait || !proxy.nativeSidecar || !proxy.waitBeforeExitSeconds) return [];
  return [
    {
      code: 'native-sidecar-waits',
      violates: violationOf('value', 'proxy.waitBeforeExitSeconds'),
      about: 'values.proxy.waitBeforeExitSeconds',
      what: `values.proxy.waitBeforeExitSeconds is ${proxy.waitBeforeExitSeconds}, but proxy.nativeSidecar is true`,
      why: 'A native sidecar ends after all other containers, so the chart of this release refuses to let it wait: Helm fails',
      fix: 'remove proxy.waitBeforeExitSeconds, or set proxy.nativeSidecar to false',
    },
  ];
}
