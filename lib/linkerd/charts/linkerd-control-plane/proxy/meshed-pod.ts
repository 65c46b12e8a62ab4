import { isEmpty } from '../../empty';
import type { ResourceValues } from '../../pod/resources';
import type { ControlPlaneView } from '../control-plane-view';

/** A pod of the control plane, as its proxy and what redirects its traffic have to know it. */
export interface MeshedPod {
  /** The Deployment, which is the service account, too. */
  readonly name: 'linkerd-destination' | 'linkerd-identity' | 'linkerd-proxy-injector';

  /** The container ports of the pod's controllers, by comma. */
  readonly inboundPorts: string;

  /**
   * Ports that accept only TLS, by comma.
   *
   * @default - those of values
   */
  readonly tlsPorts?: string;

  /** Tells whether the proxy runs before the controllers, as a native sidecar, rather than beside them. */
  readonly isNativeSidecar: boolean;

  /** Tells whether the controllers wait until the proxy is ready. */
  readonly isAwaited: boolean;

  /** Number of the proxy's worker threads, if values fix it. */
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

/** Its proxy needs the controller beside it for a certificate, so that neither can wait for the other. */
export function identityPod(values: ControlPlaneView): MeshedPod {
  return {
    name: 'linkerd-identity',
    inboundPorts: '8080,9990',
    // This proxy cannot ask for policies, so that TLS is required by its own configuration.
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
