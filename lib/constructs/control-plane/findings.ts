import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** The findings of the control plane, and those of proxies that several constructs configure. */
export const CONTROL_PLANE_FINDINGS = catalogue({
  'proxy-user-refused': {
    severity: 'error',
    what: ({ path, value }: { path: string; value: number }) => `${path} is ${value}`,
    why: 'A proxy does not run as root, and traffic of its user is not redirected: no container may have the same user. Kubernetes takes only whole numbers',
    fix: ({ path, most }: { path: string; most: number }) =>
      `set ${path} to a whole number from 1 to ${most} that no container of the pods runs as, or remove it`,
  },
});
