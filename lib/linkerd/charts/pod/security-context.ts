import type { PodSecurityContext, SecurityContext } from '../../../../imports/kubernetes';

/** The confinement of pods, whatever their containers say. */
export const POD_SECURITY: PodSecurityContext = { seccompProfile: { type: 'RuntimeDefault' } };

/** A container that can do nothing but run, as some user; a group below zero is left to the image. */
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
