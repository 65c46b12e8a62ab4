import type { ResourceValues } from '../../pod/resources';

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
