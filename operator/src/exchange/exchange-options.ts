import { COMMON_FLAGS } from '../flags/common-flags';
import { flag } from '../flags/flag';
import type { FlagValues } from '../flags/read-flags';

/** Flags of `exchange`. Durations are in milliseconds here. */
export const EXCHANGE_FLAGS = {
  ...COMMON_FLAGS,
  cluster: flag.namespace({
    description: 'name of this cluster in spec.cluster of its TrustAnchor',
    default: undefined,
  }),
  member: flag.namespace({ description: 'name of the other cluster, whose report is copied', default: undefined }),
  memberKubeconfig: flag.text({
    description: 'kubeconfig file for the other cluster; it is read again when it changes',
    default: undefined,
  }),
  memberCertManagerNamespace: flag.namespace({
    description: 'namespace of cert-manager in the other cluster',
    default: 'cert-manager',
  }),
  certManagerNamespace: flag.namespace({ description: 'namespace of cert-manager', default: 'cert-manager' }),
  interval: flag.durationMs({ description: 'time between two copies', default: 30_000 }),
  healthPort: flag.port({ description: 'port of /healthz and /readyz, 0 for any', default: 8081 }),
};

/** The values of {@link EXCHANGE_FLAGS}. */
export type ExchangeOptions = FlagValues<typeof EXCHANGE_FLAGS>;

/** Checks options that are valid individually. */
export function checkExchangeOptions(options: ExchangeOptions): readonly string[] {
  const { cluster, member, memberKubeconfig, interval } = options;
  return [
    ...(cluster === undefined ? ['--cluster: needed'] : []),
    ...(member === undefined ? ['--member: needed'] : []),
    ...(memberKubeconfig === undefined ? ['--member-kubeconfig: needed'] : []),
    ...(cluster !== undefined && cluster === member ? ['--member: must be another cluster than --cluster'] : []),
    ...(interval > 0 ? [] : ['--interval: must be longer than 0']),
  ];
}
