import type { PodSecurityContext, SecurityContext } from '#imports/kubernetes';

/** The security context of pods, for all their containers. */
export const POD_SECURITY: PodSecurityContext = { seccompProfile: { type: 'RuntimeDefault' } };

/**
 * Returns the security context of a container without privileges, for a user. With a negative group, the image decides.
 */
export function unprivileged(user: number | undefined, group: number | undefined): SecurityContext {
  return {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: user,
    ...(group !== undefined && group >= 0 ? { runAsGroup: group } : {}),
    seccompProfile: { type: 'RuntimeDefault' },
  };
}
