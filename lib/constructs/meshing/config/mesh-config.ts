import { BOOLEAN, FREE, keysOf } from '#kubernetes/options/known-keys';
import type { Ports } from '#linkerd/ports';
import { IMAGE_CONFIG, type ImageConfig, PROXY_CONFIG, type ProxyConfig } from './proxy-config';

/**
 * The policy for connections to a port that no Server selects. `audit` allows all clients and logs those that `deny`
 * would refuse.
 */
export type InboundPolicy =
  | 'all-unauthenticated'
  | 'all-authenticated'
  | 'cluster-unauthenticated'
  | 'cluster-authenticated'
  | 'deny'
  | 'audit';

/**
 * Settings of pods that differ from the mesh's defaults. On a namespace they apply to all its pods, except those that
 * the injector does not copy: `traceAttributes`, the image of `debugSidecar`, `proxy.cpuRatioLimit` and
 * `proxy.closeWaitTimeout`. A pod's own settings override them one by one. Omitted settings keep their defaults.
 */
export interface MeshConfig {
  /** Settings of the proxy. */
  readonly proxy?: ProxyConfig;

  /**
   * Ports on which the proxy skips protocol detection, such as those of MySQL and SMTP, where the server sends first.
   */
  readonly opaquePorts?: Ports;

  /** Ports of the pod whose connections bypass the proxy: no mTLS, no metrics. */
  readonly skipInboundPorts?: Ports;

  /** Ports of other hosts to which the pod's connections bypass the proxy. */
  readonly skipOutboundPorts?: Ports;

  /** Networks from which connections to the pod bypass the proxy, in CIDR notation. */
  readonly skipSubnets?: readonly string[];

  /**
   * Ports of the pod's containers, if a webhook that runs after Linkerd's adds containers. Releases from edge-24.4.2 on
   * ignore them.
   */
  readonly podInboundPorts?: Ports;

  /** The policy for ports that no Server selects. 2.14 does not have `audit`. */
  readonly defaultInboundPolicy?: InboundPolicy;

  /** Apply ServiceProfiles to hosts outside the cluster as well. */
  readonly externalProfiles?: boolean;

  /** Add the debug container, with tshark and other tools, to pods; an object sets its image. */
  readonly debugSidecar?: boolean | ImageConfig;

  /** Attributes of the proxy's traces, such as `deployment.environment`. Not in 2.14. */
  readonly traceAttributes?: Readonly<Record<string, string>>;
}

/** The keys of MeshConfig, for configurations that extend it. */
export const MESH_CONFIG_KEYS = {
  proxy: PROXY_CONFIG,
  opaquePorts: true,
  skipInboundPorts: true,
  skipOutboundPorts: true,
  skipSubnets: true,
  podInboundPorts: true,
  defaultInboundPolicy: true,
  externalProfiles: BOOLEAN,
  debugSidecar: IMAGE_CONFIG,
  traceAttributes: FREE,
} as const;

/** The keys of MeshConfig. */
export const MESH_CONFIG = keysOf<MeshConfig>(MESH_CONFIG_KEYS);
