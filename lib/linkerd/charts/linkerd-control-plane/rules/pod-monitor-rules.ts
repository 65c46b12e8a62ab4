import type { Problem } from '../../../../kubernetes/findings/problem';
import { LINKERD_CHART_FINDINGS } from '../../findings';
import type { ControlPlaneView } from '../control-plane-view';
import { scrapedNamespaces } from '../pod-monitors';

/** Checks that the template of the namespaces to scrape can be read, where it is needed. */
export function checkPodMonitors({ podMonitor }: ControlPlaneView): readonly Problem[] {
  const { enabled, controller } = podMonitor;
  if (!enabled || !controller.enabled) return [];
  try {
    scrapedNamespaces(controller.namespaceSelector ?? '', 'linkerd');
    return [];
  } catch (error) {
    return [
      LINKERD_CHART_FINDINGS.chartValueRefusedNamespaceSelector(
        { value: JSON.stringify(controller.namespaceSelector ?? null), error: (error as Error).message },
        { about: 'values.podMonitor.controller.namespaceSelector' },
      ),
    ];
  }
}
