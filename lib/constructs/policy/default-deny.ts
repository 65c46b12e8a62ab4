import type { Problem } from '#base/findings/problem';
import { FREE, keysOf } from '#kubernetes/options/known-keys';
import type { Release } from '#linkerd/releases/release';
import type { PolicyClient } from './clients';
import { POLICY_FINDINGS } from './findings';
import { unknownMode } from './policy-problems';

/** The policy for connections to a namespace's pods on ports that no Server selects. */
export type NamespaceMode = 'audit' | 'deny' | 'all-authenticated' | 'cluster-authenticated';

/** What to do with connections that no policy allows. */
export interface DefaultDenyOptions {
  /**
   * `audit` allows them and reports them in logs and metrics; `deny` refuses them. For ports without an `allow`,
   * `all-authenticated` allows every meshed client, and `cluster-authenticated` those from the cluster's networks. 2.14
   * has no `audit`.
   *
   * @default 'audit'
   */
  readonly mode?: NamespaceMode;

  /**
   * Clients that read the metrics of the proxies, such as Prometheus. All pods of the namespace get a Server for the
   * proxy's own port, which refuses `/metrics` to other clients, or only reports them in mode 'audit'; probes of the
   * proxy stay open.
   *
   * @default - no clients in mode 'deny', meshed clients in the modes that allow these, all clients in mode 'audit'
   */
  readonly scrapers?: readonly PolicyClient[];
}

/** The keys of DefaultDenyOptions. Clients are checked where they are read. */
export const DEFAULT_DENY_OPTIONS = keysOf<DefaultDenyOptions>({ mode: true, scrapers: FREE });

const MODES: readonly NamespaceMode[] = ['audit', 'deny', 'all-authenticated', 'cluster-authenticated'];

/** Reports modes that the release's policy controller does not support: it would use the mesh's default instead. */
export function checkNamespaceMode(mode: NamespaceMode, release: Release): readonly Problem[] {
  if (!MODES.includes(mode)) {
    return [unknownMode(mode, MODES.map((one) => `'${one}'`).join(', '))];
  }
  return mode === 'audit' && !release.groups.injector.workloadSettings.includes('defaultInboundPolicy audit')
    ? [POLICY_FINDINGS.policyUnsupportedAudit({ version: release.version })]
    : [];
}
