/**
 * Annotations of what is made after each sync and removed when it is done. They are Helm's, as in the charts: Argo CD takes
 * them for its own PostSync hook, whether an object comes from a chart or not
 * (https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#helm-hooks).
 */
export function hookAnnotations(weight: 0 | 1): Record<string, string> {
  return {
    'helm.sh/hook': 'post-install',
    'helm.sh/hook-weight': `${weight}`,
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  };
}
