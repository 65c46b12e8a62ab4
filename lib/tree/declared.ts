import type { CertificateNames } from '../checks/object-rule';
import { valueAt } from '../releases/values';
import type { PlacedDeclarations, PlacedRelease } from './read-tree';

/** Namespaces in which cluster-scoped objects look for names without a namespace; undefined where that is not known. */
export interface LookupNamespaces {
  /** cert-manager's, in which ClusterIssuers find Secrets. */
  readonly clusterIssuers?: string;
  /** trust-manager's trust namespace, in which Bundles find their sources. */
  readonly bundles?: string;
}

/** Certificates that constructs declare to come into being: nothing is known of their DNS names. */
export function declaredCertificates(declared: readonly PlacedDeclarations[]): CertificateNames {
  return new Map(
    declared
      .flatMap(({ declarations: { provides = [], external = [] } }) => [...provides, ...external])
      .filter(({ kind }) => kind === 'Certificate')
      .map(({ namespace, name }) => [`${namespace}/${name}`, undefined]),
  );
}

/** The namespaces in which the released cert-manager and trust-manager look for what cluster-scoped objects name. */
export function lookupNamespaces(releases: readonly PlacedRelease[]): LookupNamespaces {
  const releaseOf = (name: string) => releases.find(({ release }) => release.chart.name === name)?.release;
  const trustManager = releaseOf('trust-manager');
  const trust = trustManager && valueAt(trustManager.values, 'app.trust.namespace');
  return {
    clusterIssuers: releaseOf('cert-manager')?.namespace,
    // The chart's default.
    bundles: typeof trust === 'string' ? trust : trustManager && 'cert-manager',
  };
}
