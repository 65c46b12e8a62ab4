import { deepFreeze } from '../../kubernetes/plain-data';
import { knownRelease } from './known-release';
import type { GroupKindName, PinnedChart } from './pinned-chart';

/** The trust-manager releases that this library knows. */
export type TrustManagerVersion = keyof typeof CHARTS;

/** All that `helm template` of v0.24.0 prints with every option on, `extraObjects` aside. */
const KINDS: readonly GroupKindName[] = [
  '/Secret',
  '/Service',
  '/ServiceAccount',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apps/Deployment',
  'cert-manager.io/Certificate',
  'cert-manager.io/Issuer',
  'monitoring.coreos.com/ServiceMonitor',
  'policy.cert-manager.io/CertificateRequestPolicy',
  'policy/PodDisruptionBudget',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
];

function chart(version: string): PinnedChart {
  return deepFreeze({
    name: 'trust-manager',
    version,
    repository: 'https://charts.jetstack.io',
    valuesOf: 'v0.24.0',
    kinds: KINDS,
    foreignNamespaces: [],
  });
}

const CHARTS = { 'v0.24.0': chart('v0.24.0'), 'v0.12.0': chart('v0.12.0') };

/** The differences between trust-manager releases that matter here. */
export interface TrustManagerRelease {
  /** Tells whether a Bundle goes on when one of its selectors matches nothing (cert-manager/trust-manager#432, 0.13). */
  readonly takesEmptySelectors: boolean;
}

const RELEASES: Readonly<Record<TrustManagerVersion, TrustManagerRelease>> = {
  'v0.24.0': { takesEmptySelectors: true },
  'v0.12.0': { takesEmptySelectors: false },
};

/** The facts about a release. */
export function trustManagerRelease(version: TrustManagerVersion): TrustManagerRelease {
  return knownRelease('trust-manager', RELEASES, version);
}

/** The chart of a release, when it writes to no namespace but its own and `foreignNamespaces`. */
export function trustManagerChart(version: TrustManagerVersion, foreignNamespaces: readonly string[]): PinnedChart {
  return { ...knownRelease('trust-manager', CHARTS, version), foreignNamespaces };
}
