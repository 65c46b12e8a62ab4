import type { CertificateNames } from '../../kubernetes/checks/object-rule';
import { type Values, valueAt } from '../../kubernetes/values';
import type { LinkerdDefinitions } from '../../linkerd/checks/served-check';
import { partOfChart, releaseOfChart } from '../../linkerd/releases/charts';
import { definitionsOf } from '../../linkerd/releases/definitions';
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

/** The CRDs that the released linkerd-crds brings along; undefined where there is none, or no one of a known version. */
export function linkerdDefinitions(releases: readonly PlacedRelease[]): LinkerdDefinitions | undefined {
  const crds = releases.find(({ release }) => partOfChart(release.chart.name) === 'crds')?.release;
  const release = crds && releaseOfChart(crds.chart);
  return release === undefined ? undefined : { release, definitions: definitionsOf(release, crds?.values ?? {}) };
}

/** The values of the control plane, where Argo CD inflates its chart. */
export function inflatedMesh(releases: readonly PlacedRelease[]): Values | undefined {
  return releases.find(({ release }) => partOfChart(release.chart.name) === 'controlPlane')?.release.values;
}
