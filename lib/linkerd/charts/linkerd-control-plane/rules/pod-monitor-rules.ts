import type { Problem } from '../../../../kubernetes/findings/problem';
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
      {
        code: 'namespace-selector-unreadable',
        about: 'values.podMonitor.controller.namespaceSelector',
        what: `values.podMonitor.controller.namespaceSelector is ${JSON.stringify(controller.namespaceSelector ?? null)}: ${(error as Error).message}`,
        why: 'Prometheus would scrape nothing of the control plane',
        fix: 'write it as YAML, such as "any: true" or "matchNames: [linkerd, linkerd-viz]"; {{ .Release.Namespace }} stands for the namespace',
      },
    ];
  }
}
