import type { Problem } from '../../kubernetes/findings/problem';
import { checkLabelKey } from '../../kubernetes/names';

/**
 * Labels that mirrors of services do not get. By these Argo CD, where it tracks by label, tells what it manages: it would
 * take the mirror for an object of its own that is not in Git any more, and prune it.
 */
export const LEFT_LABELS: readonly string[] = ['app.kubernetes.io/instance', 'argocd.argoproj.io/*'];

/** Annotations that they do not get: Argo CD's, of which some say what it manages, and all of the service in them. */
export const LEFT_ANNOTATIONS: readonly string[] = [
  'argocd.argoproj.io/*',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** Checks keys that mirrors do not get: whole ones, or all that begin with a prefix (`example.com/*`). */
export function checkLeftKeys(field: string, keys: readonly string[]): readonly Problem[] {
  return keys.flatMap((key, index) =>
    checkLabelKey(`${field}[${index}]`, typeof key === 'string' ? key.replace(/\/\*$/, '/any') : key),
  );
}
