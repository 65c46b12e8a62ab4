import type { Duration } from 'cdk8s';
import type { EnvVar } from '#imports/kubernetes';
import type { DurationLike } from '#kubernetes/options/duration-like';
import { BOOLEAN, DURATION, FREE, keysOf, keysWithout, NUMBER } from '#kubernetes/options/known-keys';
import { RESOURCE_RANGE } from '#linkerd/container-resources';
import type { ResourceRange } from '#linkerd/proxy-values/quantity';

/** A setting of the proxy for each direction. */
export interface Directions<T> {
  /** The setting for connections to the pod. */
  readonly inbound?: T;
  /** The setting for connections that the pod opens. */
  readonly outbound?: T;
}

/** The parts of an image. Omitted parts keep the mesh's defaults. */
export interface ImageConfig {
  /** Name without a tag: `cr.l5d.io/linkerd/proxy`. */
  readonly name?: string;
  /** Tag of the image. */
  readonly version?: string;
  /** When the kubelet pulls the image. */
  readonly pullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
}

/** The ports that the proxy itself uses in the pod's network. */
export interface ProxyPorts {
  /** Port for Linkerd's own control connections. */
  readonly control?: number;
  /** Port of metrics, readiness and shutdown. */
  readonly admin?: number;
  /** Port that connections to the pod are redirected to. */
  readonly inbound?: number;
  /** Port that connections of the pod are redirected to. */
  readonly outbound?: number;
}

/**
 * Settings of pods' proxies that differ from the mesh's defaults, which are the control plane's values. Omitted
 * settings keep their defaults.
 */
export interface ProxyConfig {
  /** CPU of the proxy; the number of its threads follows the limit. */
  readonly cpu?: ResourceRange;
  /** Memory of the proxy. */
  readonly memory?: ResourceRange;
  /** Ephemeral storage of the proxy. */
  readonly ephemeralStorage?: ResourceRange;

  /** Threads of the proxy as a ratio of the node's CPUs: more than 0, less than 1. Not in 2.14. */
  readonly cpuRatioLimit?: number;

  /** Image of the proxy. Its pull policy applies to the init container as well. */
  readonly image?: ImageConfig;

  /** Image of the init container. Only up to edge-25.11.2: later releases use the proxy's image. */
  readonly initImage?: Pick<ImageConfig, 'name' | 'version'>;

  /**
   * User that the proxy runs as, from 1. No other container may run as this user, whose traffic bypasses the proxy.
   * OpenShift requires a user in the namespace's range.
   */
  readonly uid?: number;

  /** Group that the proxy runs as, from 1. Not in 2.14. */
  readonly gid?: number;

  /** Log filter: a level, or levels of modules, such as `warn,linkerd=debug`. */
  readonly logLevel?: string;
  /** Format of the proxy's log. */
  readonly logFormat?: 'plain' | 'json';
  /** Format of the access log of HTTP requests, which is off by default. */
  readonly accessLog?: 'apache' | 'json';

  /** Start the pod's containers only when the proxy is ready. */
  readonly await?: boolean;

  /**
   * Run the proxy as a native sidecar: an init container that keeps running, and that Kubernetes (from 1.29) stops
   * after the pod's containers. Not in 2.14, which has ordinary sidecars only.
   */
  readonly nativeSidecar?: boolean;

  /** How long a proxy that is not a native sidecar keeps running after the signal to stop; whole seconds. */
  readonly waitBeforeExit?: DurationLike;
  /** How long a stopping proxy lets open connections finish. */
  readonly shutdownGracePeriod?: DurationLike;
  /** How long the kernel keeps connections that the other side has closed; whole seconds. */
  readonly closeWaitTimeout?: DurationLike;
  /** How long the proxy waits for a TCP connection. */
  readonly connectTimeout?: Directions<DurationLike>;
  /** How long the proxy caches an unused destination; whole seconds. */
  readonly discoveryCacheTimeout?: Directions<DurationLike>;
  /** Wait without a timeout for the data that protocol detection needs. */
  readonly unlimitedProtocolDetection?: Directions<boolean>;

  /** Ports that the proxy itself listens on. */
  readonly ports?: ProxyPorts;

  /**
   * Additional environment variables of the proxy. From edge-26.4.3 on, and not on a namespace: the injector cannot
   * copy them to pods.
   */
  readonly env?: readonly EnvVar[];
}

const DIRECTIONS = keysOf<Directions<Duration>>({ inbound: DURATION, outbound: DURATION });

/** The keys of ImageConfig. */
export const IMAGE_CONFIG = keysOf<ImageConfig>({ name: true, version: true, pullPolicy: true });

/** The keys of ProxyConfig. */
export const PROXY_CONFIG = keysOf<ProxyConfig>(
  {
    cpu: RESOURCE_RANGE,
    memory: RESOURCE_RANGE,
    ephemeralStorage: RESOURCE_RANGE,
    cpuRatioLimit: NUMBER,
    image: IMAGE_CONFIG,
    initImage: keysWithout(IMAGE_CONFIG, 'pullPolicy'),
    uid: NUMBER,
    gid: NUMBER,
    logLevel: true,
    logFormat: true,
    accessLog: true,
    await: BOOLEAN,
    nativeSidecar: BOOLEAN,
    waitBeforeExit: DURATION,
    shutdownGracePeriod: DURATION,
    closeWaitTimeout: DURATION,
    connectTimeout: DIRECTIONS,
    discoveryCacheTimeout: DIRECTIONS,
    unlimitedProtocolDetection: keysOf<Directions<boolean>>({ inbound: BOOLEAN, outbound: BOOLEAN }),
    ports: keysOf<ProxyPorts>({ control: NUMBER, admin: NUMBER, inbound: NUMBER, outbound: NUMBER }),
    env: FREE,
  },
  {
    resources: "proxy: { cpu: { request: '100m', limit: '1' }, memory: { request: '64Mi', limit: '250Mi' } }",
    requests: "proxy: { cpu: { request: '100m' }, memory: { request: '64Mi' } }",
    limits: "proxy: { cpu: { limit: '1' }, memory: { limit: '250Mi' } }",
  },
);
