import * as keys from '../../annotations';

/** A setting of workloads that some releases support and others silently ignore. */
export type WorkloadSetting =
  | 'proxy.initImage'
  | 'proxy.gid'
  | 'proxy.env'
  | 'proxy.cpuRatioLimit'
  | 'defaultInboundPolicy audit'
  | 'traceAttributes'
  | 'podInboundPorts';

/** How a release injects and configures proxies. */
export interface InjectorFeatures {
  /** The annotation that makes a pod's proxy a native sidecar; absent if it cannot be one. */
  readonly nativeSidecarAnnotation?: string;
  /** The settings of workloads that this release supports, among those that not all releases support. */
  readonly workloadSettings: readonly WorkloadSetting[];
}

const EDGE_25_11_2: readonly WorkloadSetting[] = [
  'proxy.gid',
  'proxy.cpuRatioLimit',
  'defaultInboundPolicy audit',
  'traceAttributes',
];

/** The annotations that proxy injectors read, by groups of releases: `pkg/k8s/labels.go`, `pkg/inject/inject.go`. */
export const INJECTOR = {
  'edge-26.8.3': {
    nativeSidecarAnnotation: keys.NATIVE_SIDECAR,
    workloadSettings: [...EDGE_25_11_2, 'proxy.env'],
  },
  'edge-26.5.1': {
    nativeSidecarAnnotation: keys.NATIVE_SIDECAR_BETA,
    workloadSettings: [...EDGE_25_11_2, 'proxy.env'],
  },
  'edge-26.4.2': { nativeSidecarAnnotation: keys.NATIVE_SIDECAR_BETA, workloadSettings: EDGE_25_11_2 },
  'edge-25.11.2': {
    nativeSidecarAnnotation: keys.NATIVE_SIDECAR_BETA,
    // In later releases, init containers use the image of the proxy.
    workloadSettings: [...EDGE_25_11_2, 'proxy.initImage'],
  },
  // From edge-24.4.2 on, GetPodPatch sets the ports of the pod's containers after it has read the annotation.
  'stable-2.14.10': { workloadSettings: ['proxy.initImage', 'podInboundPorts'] },
} as const satisfies Readonly<Record<string, InjectorFeatures>>;
