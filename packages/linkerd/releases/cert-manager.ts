import { showValue } from '#base/value-path';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { GroupKindName, PinnedChart } from '../charts/pinned-chart';
import { LINKERD_FINDINGS } from '../findings';
import { UnknownVersionError } from './unknown-version-error';

interface CertManagerRelease {
  /** `Certificate.spec.renewal.policy` exists (1.21 and later; older CRDs drop or refuse it). */
  readonly renewalPolicy: boolean;
  /** Certificates may have name constraints without a feature gate (1.17 and later). */
  readonly nameConstraints: boolean;
  /** cainjector keeps the old CA next to a new one (1.19 and later). */
  readonly mergesInjectedCas: boolean;
  /** Values of the imported release that this release's chart does not have, and that its schema refuses. */
  readonly unknownValues: readonly string[];
}

/** Facts per release, from the charts' `values.schema.json` and the release notes. */
export const CERT_MANAGER_RELEASES = {
  'v1.21.1': { renewalPolicy: true, nameConstraints: true, mergesInjectedCas: true, unknownValues: [] },
  'v1.16.1': {
    renewalPolicy: false,
    nameConstraints: false,
    mergesInjectedCas: false,
    unknownValues: [
      'acmesolver.image.name',
      'acmesolver.runtimeClassName',
      'cainjector.image.name',
      'cainjector.networkPolicy',
      'cainjector.podDisruptionBudget.unhealthyPodEvictionPolicy',
      'cainjector.runtimeClassName',
      'extraContainers',
      'global.hostUsers',
      'global.nodeSelector',
      'global.runtimeClassName',
      'image.name',
      'imageNamespace',
      'imageRegistry',
      'networkPolicy',
      'podDisruptionBudget.unhealthyPodEvictionPolicy',
      'runtimeClassName',
      'startupapicheck.image.name',
      'startupapicheck.runtimeClassName',
      'startupapicheck.ttlSecondsAfterFinished',
      'webhook.apiserverClientCertSubjects',
      'webhook.clientCAFile',
      'webhook.enableClientVerification',
      'webhook.image.name',
      'webhook.podDisruptionBudget.unhealthyPodEvictionPolicy',
      'webhook.runtimeClassName',
    ],
  },
} satisfies Readonly<Record<string, CertManagerRelease>>;

/** The cert-manager releases that this library supports. */
export type CertManagerVersion = keyof typeof CERT_MANAGER_RELEASES;

/** Returns the facts about a release. */
export function certManagerRelease(version: CertManagerVersion): CertManagerRelease {
  return knownRelease('cert-manager', CERT_MANAGER_RELEASES, version);
}

/** Returns the chart of a release that writes only to its own namespace and `foreignNamespaces`. */
export function certManagerChart(version: CertManagerVersion, foreignNamespaces: readonly string[]): PinnedChart {
  return {
    name: 'cert-manager',
    version,
    repository: 'https://charts.jetstack.io',
    valuesOf: 'v1.21.1',
    kinds: [...CERT_MANAGER_KINDS],
    foreignNamespaces,
  };
}

/** All kinds that `helm template` prints with every option on, except `extraObjects`; the same for both releases. */
const CERT_MANAGER_KINDS: readonly GroupKindName[] = [
  '/ConfigMap',
  '/Service',
  '/ServiceAccount',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apps/Deployment',
  'batch/Job',
  'monitoring.coreos.com/PodMonitor',
  'monitoring.coreos.com/ServiceMonitor',
  'networking.k8s.io/NetworkPolicy',
  'policy/PodDisruptionBudget',
  'policy/PodSecurityPolicy',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
];

/** The trust-manager releases that this library supports. */
export type TrustManagerVersion = keyof typeof TRUST_MANAGER_CHARTS;

/** All kinds that `helm template` of v0.24.0 prints with every option on, except `extraObjects`. */
const TRUST_MANAGER_KINDS: readonly GroupKindName[] = [
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

function pinnedTrustManager(version: string): PinnedChart {
  return deepFreeze({
    name: 'trust-manager',
    version,
    repository: 'https://charts.jetstack.io',
    valuesOf: 'v0.24.0',
    kinds: TRUST_MANAGER_KINDS,
    foreignNamespaces: [],
  });
}

export const TRUST_MANAGER_CHARTS = {
  'v0.24.0': pinnedTrustManager('v0.24.0'),
  'v0.12.0': pinnedTrustManager('v0.12.0'),
};

interface TrustManagerRelease {
  /** A Bundle stays up to date when one of its selectors matches nothing (cert-manager/trust-manager#432, 0.13). */
  readonly takesEmptySelectors: boolean;
}

const TRUST_MANAGER_RELEASES: Readonly<Record<TrustManagerVersion, TrustManagerRelease>> = {
  'v0.24.0': { takesEmptySelectors: true },
  'v0.12.0': { takesEmptySelectors: false },
};

/** Returns the facts about a release. */
export function trustManagerRelease(version: TrustManagerVersion): TrustManagerRelease {
  return knownRelease('trust-manager', TRUST_MANAGER_RELEASES, version);
}

/** Returns the chart of a release that writes only to its own namespace and `foreignNamespaces`. */
export function trustManagerChart(version: TrustManagerVersion, foreignNamespaces: readonly string[]): PinnedChart {
  return { ...knownRelease('trust-manager', TRUST_MANAGER_CHARTS, version), foreignNamespaces };
}

/**
 * Returns the entry of a release in a table.
 *
 * @throws UnknownVersionError for an unknown release, which cannot be built.
 */
export function knownRelease<R extends object>(
  product: string,
  releases: Readonly<Record<string, R>>,
  version: string,
): R {
  const release = Object.hasOwn(releases, version) ? releases[version] : undefined;
  if (release !== undefined) return release;
  throw new UnknownVersionError(
    LINKERD_FINDINGS.versionUnknown({
      product,
      version: showValue(version),
      known: Object.keys(releases)
        .map((known) => `'${known}'`)
        .join(' or '),
    }),
  );
}

interface ChartImage {
  /** Dotted path of the image's map in the values. */
  readonly at: string;
  /** Its default name without a tag. */
  readonly name: string;
  readonly tag: string;
  /**
   * Dotted path of the value that disables its workload.
   *
   * @default - it always runs
   */
  readonly unless?: string;
}

const JETSTACK = 'quay.io/jetstack';

const CERT_MANAGER_IMAGES = [
  { at: 'image', name: 'controller' },
  { at: 'webhook.image', name: 'webhook' },
  { at: 'cainjector.image', name: 'cainjector' },
  { at: 'acmesolver.image', name: 'acmesolver' },
  { at: 'startupapicheck.image', name: 'startupapicheck', unless: 'startupapicheck.enabled' },
];

/**
 * The image with certificates of public CAs for Bundles. The mesh's Bundle does not use them, but trust-manager starts
 * with them (trust-manager, make/00_debian_trixie_version.mk at v0.24.0, deploy/charts/trust-manager/values.yaml at
 * v0.12.0).
 */
const DEFAULT_PACKAGE: Readonly<Record<string, Pick<ChartImage, 'name' | 'tag'>>> = {
  'v0.24.0': { name: `${JETSTACK}/trust-pkg-debian-trixie`, tag: '20250419.1' },
  'v0.12.0': { name: `${JETSTACK}/cert-manager-package-debian`, tag: '20210119.0' },
};

/** Returns the images of cert-manager and trust-manager; undefined for other charts, whose images are unknown. */
export function chartImages(chart: string, version: string): readonly ChartImage[] | undefined {
  if (chart === 'cert-manager') {
    return CERT_MANAGER_IMAGES.map((image) => ({
      ...image,
      name: `${JETSTACK}/cert-manager-${image.name}`,
      tag: version,
    }));
  }
  const defaultPackage = chart === 'trust-manager' ? DEFAULT_PACKAGE[version] : undefined;
  if (defaultPackage === undefined) return undefined;
  return [
    { at: 'image', name: `${JETSTACK}/trust-manager`, tag: version },
    { at: 'defaultPackageImage', ...defaultPackage, unless: 'defaultPackage.enabled' },
  ];
}
