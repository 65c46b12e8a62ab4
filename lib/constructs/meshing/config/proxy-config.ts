import type { Duration } from 'cdk8s';
import type { EnvVar } from '../../../../imports/kubernetes';
import type { ResourceRange } from '../../../../operator/api/proxy-values/quantity';
import { FREE, keysOf, keysWithout } from '../../../kubernetes/known-keys';
import { RESOURCE_RANGE } from '../../../linkerd/container-resources';

/** A setting that the proxy has for each direction. */
export interface Directions<T> {
  /** The setting for connections to the pod. */
  readonly inbound?: T;
  /** The setting for connections that the pod opens. */
  readonly outbound?: T;
}

/** An image in its parts, of which the mesh's defaults fill in what is left out. */
export interface ImageConfig {
  /** Name without a tag: `cr.l5d.io/linkerd/proxy`. */
  readonly name?: string;
  /** Tag of the image. */
  readonly version?: string;
  /** The occasion on which the kubelet pulls the image. */
  readonly pullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
}

/** The ports that the proxy itself takes in the pod's network. */
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
 * The differences of pods' proxies from the mesh's defaults, which are the control plane's values. Whatever is left out
 * keeps its default.
 */
export interface ProxyConfig {
  /** CPU of the proxy; the number of its threads follows the limit. */
  readonly cpu?: ResourceRange;
  /** Memory of the proxy. */
  readonly memory?: ResourceRange;
  /** Ephemeral storage of the proxy. */
  readonly ephemeralStorage?: ResourceRange;

  /** Threads of the proxy as a ratio of the node's CPUs: more than 0, at most 1. Not in 2.14. */
  readonly cpuRatioLimit?: number;

  /** Image of the proxy; its pull policy counts for the init container as well. */
  readonly image?: ImageConfig;

  /** Image of the init container. Only in 2.14: later releases use the proxy's. */
  readonly initImage?: Pick<ImageConfig, 'name' | 'version'>;

  /**
   * User that the proxy runs as, from 1: one that no container of the pod runs as, since the traffic of that user is not
   * redirected. OpenShift wants one of the namespace's range.
   */
  readonly uid?: number;

  /** Group that the proxy runs as, from 1. Not in 2.14. */
  readonly gid?: number;

  /** Log filter: a level, or levels of modules, such as `warn,linkerd=debug`. */
  readonly logLevel?: string;
  /** Form of the proxy's log. */
  readonly logFormat?: 'plain' | 'json';
  /** Form of a log of HTTP requests, which is off otherwise. */
  readonly accessLog?: 'apache' | 'json';

  /** Tells whether the pod's containers start only when the proxy is ready. */
  readonly await?: boolean;

  /**
   * Tells whether the proxy is a native sidecar: an init container that runs on, and that Kubernetes (from 1.29) ends
   * after the pod's containers. Not in 2.14, which knows ordinary sidecars only.
   */
  readonly nativeSidecar?: boolean;

  /** By how much a proxy that is no native sidecar outlives the signal to end; whole seconds. */
  readonly waitBeforeExit?: Duration;
  /** Time for which the proxy lets open connections finish when it ends. */
  readonly shutdownGracePeriod?: Duration;
  /** Time for which the kernel keeps connections that the other side has closed; whole seconds. */
  readonly closeWaitTimeout?: Duration;
  /** Time for which the proxy waits for a TCP connection. */
  readonly connectTimeout?: Directions<Duration>;
  /** Time for which the proxy remembers a destination that it does not use; whole seconds. */
  readonly discoveryCacheTimeout?: Directions<Duration>;
  /** Tells whether the proxy waits without limit until it has seen enough of a connection to know its protocol. */
  readonly unlimitedProtocolDetection?: Directions<boolean>;

  /** Ports that the proxy itself listens on. */
  readonly ports?: ProxyPorts;

  /**
   * Environment variables of the proxy beyond its own. Not in 2.14, and not on a namespace: the injector fails on what
   * it would have to copy from there.
   */
  readonly env?: readonly EnvVar[];
}

const DIRECTIONS = keysOf<Directions<Duration>>({ inbound: FREE, outbound: FREE });

/** The keys of ImageConfig. */
export const IMAGE_CONFIG = keysOf<ImageConfig>({ name: true, version: true, pullPolicy: true });

/** The keys of ProxyConfig. */
export const PROXY_CONFIG = keysOf<ProxyConfig>(
  {
    cpu: RESOURCE_RANGE,
    memory: RESOURCE_RANGE,
    ephemeralStorage: RESOURCE_RANGE,
    cpuRatioLimit: true,
    image: IMAGE_CONFIG,
    initImage: keysWithout(IMAGE_CONFIG, 'pullPolicy'),
    uid: true,
    gid: true,
    logLevel: true,
    logFormat: true,
    accessLog: true,
    await: true,
    nativeSidecar: true,
    waitBeforeExit: FREE,
    shutdownGracePeriod: FREE,
    closeWaitTimeout: FREE,
    connectTimeout: DIRECTIONS,
    discoveryCacheTimeout: DIRECTIONS,
    unlimitedProtocolDetection: keysOf<Directions<boolean>>({ inbound: true, outbound: true }),
    ports: keysOf<ProxyPorts>({ control: true, admin: true, inbound: true, outbound: true }),
    env: FREE,
  },
  {
    resources: "write proxy: { cpu: { request: '100m', limit: '1' }, memory: { request: '64Mi', limit: '250Mi' } }",
    requests: "write proxy: { cpu: { request: '100m' }, memory: { request: '64Mi' } }",
    limits: "write proxy: { cpu: { limit: '1' }, memory: { limit: '250Mi' } }",
  },
);
