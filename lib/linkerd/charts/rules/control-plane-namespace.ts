import type { Problem } from '../../../kubernetes/findings/problem';
import { LINKERD_CHART_FINDINGS } from '../findings';

/** Reports where an extension does not know the namespace of its control plane. */
export function checkControlPlaneNamespace({
  linkerdNamespace,
}: {
  readonly linkerdNamespace: string | undefined;
}): readonly Problem[] {
  if (linkerdNamespace) return [];
  return [
    LINKERD_CHART_FINDINGS.chartValueMissingControlPlaneNamespace(
      { value: JSON.stringify(linkerdNamespace ?? null) },
      { about: 'values.linkerdNamespace' },
    ),
  ];
}
