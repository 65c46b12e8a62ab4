import { byText } from '#base/remembered';
import { type Values, valueAt } from '#base/values';
import type { CertificateNames } from '../../checks/object-rule';
import type { KnownInjector } from '../../linkerd/checks/annotation-check';
import type { LinkerdDefinitions } from '../../linkerd/checks/served-check';
import { partOfChart, releaseOfChart } from '../../linkerd/releases/charts';
import { definitionIn, definitionsOf } from '../../linkerd/releases/definitions';
import { releaseFacts } from '../../linkerd/releases/release-facts';
import type { ConstructTree, PlacedDeclarations } from './read-tree';
import type { Release } from './releases';

/** Namespaces in which cluster-scoped objects look up names without a namespace; undefined if unknown. */
export interface LookupNamespaces {
  /** cert-manager's, in which ClusterIssuers look up Secrets. */
  readonly clusterIssuers?: string;
  /** trust-manager's trust namespace, in which Bundles look up their sources. */
  readonly bundles?: string;
}

/** Returns the Certificates that constructs declare without creating them, so their DNS names are unknown. */
export function declaredCertificates(declared: readonly PlacedDeclarations[]): CertificateNames {
  return new Map(
    declared
      .flatMap(({ declarations: { provides = [], external = [] } }) => [...provides, ...external])
      .filter(({ kind }) => kind === 'Certificate')
      .map(({ namespace, name }) => [`${namespace}/${name}`, undefined]),
  );
}

function allReleases({ releases, rendered }: ReleasesIn): readonly Release[] {
  return [...releases.map(({ release }) => release), ...rendered];
}

type ReleasesIn = Pick<ConstructTree, 'releases' | 'rendered'>;

/**
 * Returns the namespaces in which the released cert-manager and trust-manager look up names of cluster-scoped objects.
 */
export function lookupNamespaces(tree: ReleasesIn): LookupNamespaces {
  const releases = allReleases(tree);
  const releaseOf = (name: string) => releases.find(({ chart }) => chart.name === name);
  const trustManager = releaseOf('trust-manager');
  const trust = trustManager && valueAt(trustManager.values, 'app.trust.namespace');
  return {
    clusterIssuers: releaseOf('cert-manager')?.namespace,
    // The chart's default.
    bundles: typeof trust === 'string' ? trust : trustManager && 'cert-manager',
  };
}

/**
 * Returns the CRDs that the released linkerd-crds installs: those among the objects if it is rendered at synth;
 * undefined without one of a known version.
 */
export function linkerdDefinitions(tree: ReleasesIn & Pick<ConstructTree, 'objects'>): LinkerdDefinitions | undefined {
  const crds = allReleases(tree).find(({ chart }) => partOfChart(chart.name) === 'crds');
  const rendered =
    crds && tree.rendered.some((one) => one === crds) ? tree.objects.flatMap(({ object }) => definitionIn(object)) : [];
  if (crds !== undefined && rendered.length > 0) {
    const { name, version } = crds.chart;
    return { release: releaseOfChart(crds.chart) ?? `${name} ${version}`, definitions: rendered };
  }
  const release = crds && releaseOfChart(crds.chart);
  const definitions = release === undefined ? [] : definitionsOf(release, crds?.values ?? {});
  // None are known of releases that are older than the oldest known one.
  return release === undefined || definitions.length === 0 ? undefined : { release, definitions };
}

/** Returns the injector of the released control plane; undefined without one of a known release. */
export function injectorIn(tree: ReleasesIn): KnownInjector | undefined {
  const chart = allReleases(tree).find((release) => partOfChart(release.chart.name) === 'controlPlane')?.chart;
  const version = chart && releaseOfChart(chart);
  return version === undefined ? undefined : knownInjector(version);
}

const knownInjector = byText((version): KnownInjector | undefined => {
  const facts = releaseFacts(version);
  return facts && { version, features: facts.injector };
});

/**
 * Returns the values of a control plane whose objects are not in the tree: Argo CD inflates its chart, or it is
 * installed elsewhere, and the constructs of its pods know them.
 */
export function inflatedMesh(tree: ReleasesIn & Pick<ConstructTree, 'meshes'>): Values | undefined {
  const controlPlane = allReleases(tree).find(({ chart }) => partOfChart(chart.name) === 'controlPlane');
  if (controlPlane === undefined) return tree.meshes[0];
  return tree.rendered.some((one) => one === controlPlane) ? undefined : controlPlane.values;
}
