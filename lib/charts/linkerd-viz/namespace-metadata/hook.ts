import { creator } from '../metadata/creator';
import type { VizView } from '../viz-view';

/**
 * Annotations of what is made after each sync and removed when it is done. They are Helm's, as in the chart: Argo CD takes
 * them for its own PostSync hook, whether an object comes from a chart or not
 * (https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#helm-hooks).
 */
export function hookAnnotations(values: VizView, weight: 0 | 1): Record<string, string> {
  return {
    ...creator(values),
    'helm.sh/hook': 'post-install',
    'helm.sh/hook-weight': `${weight}`,
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  };
}
