import type { Problem } from '../../../kubernetes/findings/problem';
import type { InjectorFeatures, WorkloadSetting } from '../../../linkerd/releases/groups/injector';
import type { Release } from '../../../linkerd/releases/release';
import { MESHING_FINDINGS } from '../findings';
import type { MeshConfig } from './mesh-config';

interface Setting {
  readonly field: string;
  /** The feature of releases that know it. */
  readonly isKnown: (features: InjectorFeatures) => boolean;
  /** The value, where it is set to something that some releases do not know. */
  readonly value: (config: MeshConfig) => unknown;
  readonly remedy: string;
}

const LATER = 'remove it, or use a current release of Linkerd';

const listed =
  (setting: WorkloadSetting) =>
  ({ workloadSettings }: InjectorFeatures): boolean =>
    workloadSettings.includes(setting);

/**
 * Settings that not all releases know, by `linkerd doc` of 2.14 and 2.20
 * (https://linkerd.io/2-edge/reference/proxy-configuration/) and the proxies' own options.
 */
const SETTINGS: readonly Setting[] = [
  {
    field: 'proxy.initImage',
    isKnown: listed('proxy.initImage'),
    value: ({ proxy }) => proxy?.initImage,
    remedy: 'remove it: the init container runs the image of the proxy, proxy.image',
  },
  { field: 'proxy.gid', isKnown: listed('proxy.gid'), value: ({ proxy }) => proxy?.gid, remedy: LATER },
  { field: 'proxy.env', isKnown: listed('proxy.env'), value: ({ proxy }) => proxy?.env, remedy: LATER },
  {
    field: 'proxy.cpuRatioLimit',
    isKnown: listed('proxy.cpuRatioLimit'),
    value: ({ proxy }) => proxy?.cpuRatioLimit,
    remedy: 'set proxy.cpu.limit instead',
  },
  {
    field: 'proxy.nativeSidecar',
    isKnown: ({ nativeSidecarAnnotation }) => nativeSidecarAnnotation !== undefined,
    value: ({ proxy }) => proxy?.nativeSidecar || undefined,
    remedy: 'remove it: native sidecars came with 2.15. Jobs end with the help of linkerdAwait',
  },
  {
    field: 'defaultInboundPolicy',
    isKnown: listed('defaultInboundPolicy audit'),
    value: ({ defaultInboundPolicy }) => (defaultInboundPolicy === 'audit' ? defaultInboundPolicy : undefined),
    remedy: "use 'all-unauthenticated', which also allows all clients",
  },
  {
    field: 'traceAttributes',
    isKnown: listed('traceAttributes'),
    value: ({ traceAttributes }) => traceAttributes,
    remedy: LATER,
  },
];

/** Reports settings that the release does not know, and would silently ignore. */
export function checkSupport(config: MeshConfig, release: Release): readonly Problem[] {
  const features = release.groups.injector;
  return SETTINGS.filter(({ isKnown }) => !isKnown(features)).flatMap(({ field, value, remedy }) => {
    const set = value(config);
    if (set === undefined) return [];
    const { version } = release;
    return [MESHING_FINDINGS.settingUnsupported({ field, value: String(JSON.stringify(set)), version, remedy })];
  });
}
