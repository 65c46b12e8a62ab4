import type { Problem } from '../../problems/problem';
import type { LinkerdVersion } from '../../releases/versions';
import type { MeshConfig } from './mesh-config';

interface Setting {
  readonly field: string;
  /** The value, where it is set to something that the release does not know. */
  readonly unknown: (config: MeshConfig) => unknown;
  readonly fix: string;
}

const LATER = 'remove it, or run a current release of Linkerd';

/**
 * Settings that a release does not know and others do, by `linkerd doc` of 2.14 and 2.20
 * (https://linkerd.io/2-edge/reference/proxy-configuration/) and the proxies' own options.
 */
const UNKNOWN: Readonly<Record<LinkerdVersion, readonly Setting[]>> = {
  'edge-26.8.3': [
    {
      field: 'proxy.initImage',
      unknown: ({ proxy }) => proxy?.initImage,
      fix: 'remove it: the init container runs the image of the proxy, proxy.image',
    },
  ],
  'stable-2.14.10': [
    { field: 'proxy.gid', unknown: ({ proxy }) => proxy?.gid, fix: LATER },
    { field: 'proxy.env', unknown: ({ proxy }) => proxy?.env, fix: LATER },
    { field: 'proxy.cpuRatioLimit', unknown: ({ proxy }) => proxy?.cpuRatioLimit, fix: 'set proxy.cpu.limit instead' },
    {
      field: 'proxy.nativeSidecar',
      unknown: ({ proxy }) => proxy?.nativeSidecar || undefined,
      fix: 'remove it: native sidecars came with 2.15. Jobs end with the help of linkerdAwait',
    },
    {
      field: 'defaultInboundPolicy',
      unknown: ({ defaultInboundPolicy }) => (defaultInboundPolicy === 'audit' ? defaultInboundPolicy : undefined),
      fix: "use 'all-unauthenticated', which lets everybody in as well",
    },
    {
      field: 'traceAttributes',
      unknown: ({ traceAttributes }) => traceAttributes,
      fix: LATER,
    },
  ],
};

/** Reports what of a configuration the release does not know, and so passes over without a word. */
export function checkSupport(config: MeshConfig, version: LinkerdVersion): readonly Problem[] {
  return UNKNOWN[version].flatMap(({ field, unknown, fix }) => {
    const value = unknown(config);
    return value === undefined
      ? []
      : [
          {
            code: 'setting-unsupported',
            what: `${field} is ${JSON.stringify(value)}`,
            why: `${version} does not know it and goes on without`,
            fix,
          },
        ];
  });
}
