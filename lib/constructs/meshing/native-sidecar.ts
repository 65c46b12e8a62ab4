import { PROXY_WAIT_BEFORE_EXIT_SECONDS } from '../../linkerd/annotations';
import type { Release } from '../../linkerd/releases/release';
import type { Annotations } from './config/config-annotations';

/**
 * The annotations that make the proxies of pods native sidecars, whatever the control plane or the namespace says; none
 * where the release knows none. Charts that refuse a native sidecar which waits before its end refuse it at injection,
 * too: no wait of the control plane or the namespace may reach the pods.
 */
export function nativeSidecarAnnotations({ groups: { injector, controlPlane } }: Release): Annotations {
  const { nativeSidecarAnnotation } = injector;
  if (nativeSidecarAnnotation === undefined) return {};
  const refusesWait = controlPlane.templates.nativeSidecarRefusesWait;
  return {
    [nativeSidecarAnnotation]: 'true',
    ...(refusesWait ? { [PROXY_WAIT_BEFORE_EXIT_SECONDS]: '0' } : {}),
  };
}
