import type { Problem } from '../../kubernetes/findings/problem';
import { FREE, keysOf } from '../../kubernetes/known-keys';
import type { Release } from '../../linkerd/releases/release';
import type { PolicyClient } from './clients';
import { POLICY_FINDINGS } from './findings';
import { unknownMode } from './policy-problems';

/** The policy on connections to pods of a namespace on ports that no Server selects. */
export type NamespaceMode = 'audit' | 'deny' | 'all-authenticated' | 'cluster-authenticated';

/** The fate of connections that nothing allows. */
export interface DefaultDenyOptions {
  /**
   * `audit` lets them in and tells of them, in logs and metrics; `deny` refuses them. With `all-authenticated` every
   * meshed client may connect to ports that `allow` was not called for, with `cluster-authenticated` those of the
   * cluster's networks. 2.14 has no `audit`.
   *
   * @default 'audit'
   */
  readonly mode?: NamespaceMode;

  /**
   * Those who read the metrics of the proxies: Prometheus. All pods of the namespace get a Server for the proxy's own
   * port, at which others are refused `/metrics`; probes of the proxy stay open.
   *
   * @default - nobody in mode 'deny', meshed clients in the modes that let these in, everybody in mode 'audit'
   */
  readonly scrapers?: readonly PolicyClient[];
}

/** The keys of DefaultDenyOptions. Clients are checked where they are read. */
export const DEFAULT_DENY_OPTIONS = keysOf<DefaultDenyOptions>({ mode: true, scrapers: FREE });

const MODES: readonly NamespaceMode[] = ['audit', 'deny', 'all-authenticated', 'cluster-authenticated'];

/** Reports modes that the release's policy controller does not know: it would fall back to the mesh's own. */
export function checkNamespaceMode(mode: NamespaceMode, release: Release): readonly Problem[] {
  if (!MODES.includes(mode)) {
    return [unknownMode(mode, MODES.map((one) => `'${one}'`).join(', '))];
  }
  return mode === 'audit' && !release.groups.injector.workloadSettings.includes('defaultInboundPolicy audit')
    ? [POLICY_FINDINGS.policyUnsupportedAudit({ version: release.version })]
    : [];
}
