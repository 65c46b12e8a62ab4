import { isEmpty } from '../../empty';
import type { ResourceValues } from '../../pod/resources';
import type { ControlPlaneView } from '../control-plane-view';
import type { MeshedPod } from './meshed-pod';

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
