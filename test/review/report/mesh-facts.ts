import { anchorPolicy } from '#anchor/policy';
import { TRUST_ANCHOR_DEFAULTS } from '#anchor/trust-anchor';
import { DAY, HOUR } from '#base/time-units';
import type { CertificateFacts, ClusterReport, MeshFacts, PkiFacts } from '#lib/review/report/model';
import { type Conditions, USUAL } from '#lib/review/report/simulate/conditions';

/** The certificates of a mesh with the library's default lifetimes. */
const CERTIFICATES: readonly CertificateFacts[] = [
  {
    id: 'cert-manager/linkerd-trust-anchor',
    role: 'anchor',
    duration: 3650 * DAY,
    renewBefore: 365 * DAY,
    renewsItself: false,
    key: 'ECDSA 256',
  },
  {
    id: 'linkerd/linkerd-identity-issuer',
    role: 'identity-issuer',
    signedBy: 'cert-manager/linkerd-trust-anchor',
    duration: 48 * HOUR,
    renewBefore: 25 * HOUR,
    renewsItself: true,
    key: 'ECDSA 256',
  },
  {
    id: 'linkerd/linkerd-proxy-injector',
    role: 'serving',
    duration: 7 * DAY,
    renewBefore: 2 * DAY,
    renewsItself: true,
    key: 'ECDSA 256',
  },
];

/** A mesh with the library's defaults, whose trust anchor the operator rotates. */
export function meshFacts(pki: Partial<PkiFacts> = {}): MeshFacts {
  return {
    pki: {
      certificates: CERTIFICATES,
      issuanceLifetime: 24 * HOUR,
      clockSkewAllowance: 20_000,
      identityReplicas: 3,
      rotation: 'operator',
      anchor: { policy: anchorPolicy(TRUST_ANCHOR_DEFAULTS, undefined), hasWindows: false },
      ...pki,
    },
    schedules: [],
  };
}

/** A report about one such mesh. */
export function clusterReport(others: Partial<ClusterReport> = {}): ClusterReport {
  return {
    ...meshFacts(),
    releases: ['linkerd-control-plane edge-26.8.3'],
    waves: [],
    warnings: [],
    differences: [],
    ignored: [],
    unreadable: [],
    ...others,
  };
}

/** The usual conditions with these changes. */
export function conditions(others: Partial<Conditions> = {}): Conditions {
  return { ...USUAL, workloads: 40, laggards: 'Report', ...others };
}
