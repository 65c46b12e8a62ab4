import type { Values } from '../releases/values';
import type { LinkerdVersion } from '../releases/versions';

/**
 * Control plane values by which linkerd-network-validator names no user. OpenShift refuses pods with a container whose
 * user is outside of the namespace's range, and chooses one itself where none is named. Where it does not, the image says
 * who runs (linkerd2, Dockerfile-proxy: USER 65534). 2.14 has one switch for all of the container's security context.
 */
export const VALIDATOR_WITHOUT_USER: Readonly<Record<LinkerdVersion, Values>> = {
  'edge-26.8.3': { networkValidator: { securityContext: { runAsUser: null, runAsGroup: null } } },
  'stable-2.14.10': { networkValidator: { enableSecurityContext: false } },
};
