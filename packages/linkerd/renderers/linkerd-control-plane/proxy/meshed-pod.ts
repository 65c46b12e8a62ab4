import { isEmpty } from '../../empty';
import type { ResourceValues } from '../../pod/resources';
import type { ControlPlaneView } from '../control-plane-view';

/** The facts about a pod of the control plane for its proxy and the redirection of its traffic. */
export interface MeshedPod {
  /** The Deployment, and its service account. */
  readonly name: 'linkerd-destination' | 'linkerd-identity' | 'linkerd-proxy-injector';

  /** The comma-separated container ports of the pod's controllers. */
  readonly inboundPorts: string;

  /**
   * Comma-separated ports that accept only TLS.
   *
   * @default - `proxy.requireTLSOnInboundPorts` of the values
   */
  readonly tlsPorts?: string;

  /** The proxy is a native sidecar, which starts before the controllers. */
  readonly isNativeSidecar: boolean;

  /** The controllers wait until the proxy is ready. */
  readonly isAwaited: boolean;

  /** Number of the proxy's worker threads, if values set it. */
  readonly cores: number | undefined;

  readonly resources: ResourceValues | undefined;
}

export function destinationPod(values: ControlPlaneView): MeshedPod {
  return {
    name: 'linkerd-destination',
    inboundPorts: '8086,8090,8443,9443,9990,9996,9997',
    ...sidecarMode(values),
    ...ownResources(values, values.destinationProxyResources),
  };
}

export function proxyInjectorPod(values: ControlPlaneView): MeshedPod {
  return {
    name: 'linkerd-proxy-injector',
    inboundPorts: '8443,9995',
    ...sidecarMode(values),
    ...ownResources(values, values.proxyInjectorProxyResources),
  };
}

/**
 * Returns the identity pod. Its proxy gets its certificate from the controller in the same pod, so neither can wait for
 * the other.
 */
export function identityPod(values: ControlPlaneView): MeshedPod {
  return {
    name: 'linkerd-identity',
    inboundPorts: '8080,9990',
    // This proxy cannot request policies, so its own configuration requires TLS.
    tlsPorts: '8080',
    isNativeSidecar: false,
    isAwaited: false,
    ...ownResources(values, values.identityProxyResources),
  };
}

function sidecarMode({ proxy }: ControlPlaneView): Pick<MeshedPod, 'isNativeSidecar' | 'isAwaited'> {
  return { isNativeSidecar: proxy.nativeSidecar === true, isAwaited: proxy.await === true };
}

type OwnResources = ResourceValues & { readonly cores?: number | undefined };

function ownResources(
  { proxy }: ControlPlaneView,
  own: OwnResources | undefined,
): Pick<MeshedPod, 'cores' | 'resources'> {
  if (own === undefined || isEmpty(own)) return { cores: proxy.cores, resources: proxy.resources };
  return { cores: 'cores' in own ? own.cores : proxy.cores, resources: own };
}
