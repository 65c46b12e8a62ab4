import { FREE, keysOf } from '../../../kubernetes/known-keys';
import type { Ports } from '../../../linkerd/ports';
import { IMAGE_CONFIG, type ImageConfig, PROXY_CONFIG, type ProxyConfig } from './proxy-config';

/**
 * The policy on connections to a port that no Server selects. `audit` lets everybody in and logs whom `deny` would
 * refuse.
 */
export type InboundPolicy =
  | 'all-unauthenticated'
  | 'all-authenticated'
  | 'cluster-unauthenticated'
  | 'cluster-authenticated'
  | 'deny'
  | 'audit';

/**
 * The differences of pods from the mesh's defaults. On a namespace it counts for all its pods; a pod's own wins,
 * setting by setting. Whatever is left out keeps its default.
 */
export interface MeshConfig {
  /** The proxy itself. */
  readonly proxy?: ProxyConfig;

  /**
   * Ports whose connections are proxied without a look at their protocol: MySQL, SMTP and others whose server speaks
   * first.
   */
  readonly opaquePorts?: Ports;

  /** Ports of the pod whose connections do not pass the proxy: no mTLS, no metrics. */
  readonly skipInboundPorts?: Ports;

  /** Ports of other hosts to which the pod's connections do not pass the proxy. */
  readonly skipOutboundPorts?: Ports;

  /** Networks to and from which connections do not pass the proxy, in CIDR notation. */
  readonly skipSubnets?: readonly string[];

  /** Ports of the pod's containers, where containers are added by a webhook that runs after Linkerd's. */
  readonly podInboundPorts?: Ports;

  /** The policy on connections where no Server has one. `audit` is not in 2.14. */
  readonly defaultInboundPolicy?: InboundPolicy;

  /** Tells whether ServiceProfiles count for hosts outside of the cluster as well. */
  readonly externalProfiles?: boolean;

  /** Tells whether pods get the debug container, with tshark and others; an object chooses its image. */
  readonly debugSidecar?: boolean | ImageConfig;

  /** Resource attributes of the proxy's traces: `deployment.environment` for instance. Not in 2.14. */
  readonly traceAttributes?: Readonly<Record<string, string>>;
}

/** The keys of MeshConfig, for configurations that have more. */
export const MESH_CONFIG_KEYS = {
  proxy: PROXY_CONFIG,
  opaquePorts: true,
  skipInboundPorts: true,
  skipOutboundPorts: true,
  skipSubnets: true,
  podInboundPorts: true,
  defaultInboundPolicy: true,
  externalProfiles: true,
  debugSidecar: IMAGE_CONFIG,
  traceAttributes: FREE,
} as const;

/** The keys of MeshConfig. */
export const MESH_CONFIG = keysOf<MeshConfig>(MESH_CONFIG_KEYS);
