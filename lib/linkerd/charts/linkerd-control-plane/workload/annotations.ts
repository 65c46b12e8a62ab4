import { PROXY_VERSION_INJECTED, TRUST_ROOT_SHA256 } from '../../../annotations';
import { createdBy } from '../../metadata/created-by';
import type { ControlPlaneView } from '../control-plane-view';
import { sha256 } from '../metadata/sha256';

/** The annotations of a pod of the control plane, those that the user adds included. */
export function podAnnotations(
  values: ControlPlaneView,
  ofComponent: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return {
    ...createdBy(values),
    [PROXY_VERSION_INJECTED]: values.proxy.image.version || (values.linkerdVersion ?? ''),
    'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true',
    [TRUST_ROOT_SHA256]: sha256(values.identityTrustAnchorsPEM ?? ''),
    ...values.podAnnotations,
    ...ofComponent,
  };
}
