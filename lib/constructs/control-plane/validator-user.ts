import type { Values } from '../../kubernetes/values';
import type { Release } from '../../linkerd/releases/release';

/**
 * Control plane values by which linkerd-network-validator names no user. OpenShift refuses pods with a container whose
 * user is outside of the namespace's range, and chooses one itself where none is named. Where it does not, the image says
 * who runs (linkerd2, Dockerfile-proxy: USER 65534).
 */
export function validatorWithoutUser(release: Release): Values {
  return release.groups.controlPlane.templates.validatorUser === 'switch'
    ? { networkValidator: { enableSecurityContext: false } }
    : { networkValidator: { securityContext: { runAsUser: null, runAsGroup: null } } };
}
