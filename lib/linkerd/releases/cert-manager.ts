import { knownRelease } from './known-release';
import type { GroupKindName, PinnedChart } from './pinned-chart';

/** The differences between cert-manager releases, as far as a mesh's certificates are concerned. */
export interface CertManagerRelease {
  /** Tells whether `Certificate.spec.renewal.policy` exists (1.21 and later; older CRDs drop or refuse it). */
  readonly renewalPolicy: boolean;
  /** Tells whether cainjector keeps the old CA beside the new one when it changes (1.19 and later). */
  readonly mergesInjectedCas: boolean;
  /** Values of the imported release that this release's chart does not have, and refuses by its own schema. */
  readonly unknownValues: readonly string[];
}

/** Facts per release, from the charts' `values.schema.json` and the release notes. */
const RELEASES = {
  'v1.21.1': { renewalPolicy: true, mergesInjectedCas: true, unknownValues: [] },
  'v1.16.1': {
    renewalPolicy: false,
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

/** The cert-manager releases that this library knows. */
export type CertManagerVersion = keyof typeof RELEASES;

/** Returns the differences of a release from others. */
export function certManagerRelease(version: CertManagerVersion): CertManagerRelease {
  return knownRelease('cert-manager', RELEASES, version);
}

/** The chart of a release, when it writes to no namespace but its own and `foreignNamespaces`. */
export function certManagerChart(version: CertManagerVersion, foreignNamespaces: readonly string[]): PinnedChart {
  return {
    name: 'cert-manager',
    version,
    repository: 'https://charts.jetstack.io',
    valuesOf: 'v1.21.1',
    kinds: [...KINDS],
    foreignNamespaces,
  };
}

/** All that `helm template` prints with every option on, `extraObjects` aside; the same for both releases. */
const KINDS: readonly GroupKindName[] = [
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
