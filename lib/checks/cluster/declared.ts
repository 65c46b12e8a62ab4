import { byText, remembered } from '#base/remembered';
import { type Values, valueAt } from '#base/values';
import { type LinkerdPart, partOfChart, releaseOfChart } from '#linkerd/releases/charts';
import { definitionIn, definitionsOf } from '#linkerd/releases/definitions';
import { releaseFacts } from '#linkerd/releases/release-facts';
import { type FoundRelease, releasesAmong } from '#linkerd/releases/releases-among';
import type { KnownInjector } from '../linkerd/annotation-check';
import type { LinkerdDefinitions } from '../linkerd/served-check';
import type { CertificateNames, PlacedObject } from '../object-rule';
import type { CheckedCluster, PlacedDeclarations, Release } from './checked-cluster';

/** Namespaces in which cluster-scoped objects look up names without a namespace; undefined if unknown. */
export interface LookupNamespaces {
  /** Namespace of cert-manager, in which ClusterIssuers look up Secrets. */
  readonly clusterIssuers?: string;
  /** Trust namespace of trust-manager, in which Bundles look up their sources. */
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

type ReleasesIn = Pick<CheckedCluster, 'releases' | 'rendered'>;

/**
 * Returns the namespaces in which the released cert-manager and trust-manager look up names of cluster-scoped objects.
 */
export function lookupNamespaces(cluster: ReleasesIn): LookupNamespaces {
  const releases = allReleases(cluster);
  const releaseOf = (name: string) => releases.find(({ chart }) => chart.name === name);
  const trustManager = releaseOf('trust-manager');
  const trust = trustManager && valueAt(trustManager.values, 'app.trust.namespace');
  return {
    clusterIssuers: releaseOf('cert-manager')?.namespace,
    // The chart's default.
    bundles: typeof trust === 'string' ? trust : trustManager && 'cert-manager',
  };
}

/** A part of Linkerd that a cluster's output installs: by a chart, or by objects. */
export interface InstalledPart extends Omit<FoundRelease, 'object'> {
  /** The construct of the chart, or of the object that shows the release. */
  readonly path: string;
  /** The values of the chart, if Helm inflates it. */
  readonly inflated?: Values;
}

/** Returns the parts of Linkerd with known releases. Charts name their release; objects show it by their images. */
export function installedParts({ releases, rendered, objects }: InstalledIn): readonly InstalledPart[] {
  const ofCharts = [
    ...releases.map(({ path, release: { chart, values } }) => ({ path, chart, inflated: values })),
    ...rendered.map(({ path, chart }) => ({ path, chart })),
  ].flatMap(({ chart, ...one }) => {
    const [part, release] = [partOfChart(chart.name), releaseOfChart(chart)];
    return part === undefined ? [] : [{ ...one, part, release }];
  });
  const ofObjects = shownReleases(objects).filter(({ part }) => ofCharts.every((one) => one.part !== part));
  return [...ofCharts, ...ofObjects].flatMap(({ release, ...one }) =>
    release === undefined ? [] : [{ ...one, release }],
  );
}

type InstalledIn = ReleasesIn & Pick<CheckedCluster, 'objects'>;

const shownReleases = remembered((objects: readonly PlacedObject[]): readonly InstalledPart[] =>
  releasesAmong(objects.map(({ object }) => object)).map(({ object, ...found }) => ({
    ...found,
    path: objects.find((one) => one.object === object)?.path ?? '',
  })),
);

/**
 * Returns the CRDs of Linkerd that a cluster's output installs: those among the objects, else those of the release;
 * undefined if none are known.
 */
export function linkerdDefinitions(cluster: InstalledIn): LinkerdDefinitions | undefined {
  const crds = allReleases(cluster).find(({ chart }) => partOfChart(chart.name) === 'crds');
  if (crds === undefined) return definitionsAmong(cluster);
  const isRendered = cluster.rendered.some((one) => one === crds);
  const rendered = isRendered ? cluster.objects.flatMap(({ object }) => definitionIn(object)) : [];
  if (rendered.length > 0) {
    const { name, version } = crds.chart;
    return { release: releaseOfChart(crds.chart) ?? `${name} ${version}`, definitions: rendered };
  }
  const release = releaseOfChart(crds.chart);
  const definitions = release === undefined ? [] : definitionsOf(release, crds.values);
  // No definitions are known of releases older than the oldest known one.
  return release === undefined || definitions.length === 0 ? undefined : { release, definitions };
}

/** Returns the CRDs without their chart: those among the objects, and the others of their release. */
function definitionsAmong(cluster: InstalledIn): LinkerdDefinitions | undefined {
  const parts = installedParts(cluster);
  const releaseOf = (part: LinkerdPart) => parts.find((one) => one.part === part)?.release;
  const release = releaseOf('crds') ?? releaseOf('controlPlane');
  const found = cluster.objects.flatMap(({ object }) => definitionIn(object)).filter(({ name }) => isOfLinkerd(name));
  const others = release === undefined ? [] : definitionsOf(release, {});
  const definitions = [...found, ...others.filter(({ name }) => found.every((one) => one.name !== name))];
  if (definitions.length === 0) return undefined;
  return { release: release ?? 'the output', definitions, ...(others.length === 0 && { isPartial: true }) };
}

function isOfLinkerd(definition: string): boolean {
  return definition.endsWith('.linkerd.io');
}

/** Returns the injector of the installed control plane; undefined if its release is unknown. */
export function injectorIn(cluster: InstalledIn): KnownInjector | undefined {
  const controlPlane = installedParts(cluster).find(({ part }) => part === 'controlPlane');
  return controlPlane && knownInjector(controlPlane.release);
}

const knownInjector = byText((version): KnownInjector | undefined => {
  const facts = releaseFacts(version);
  return facts && { version, features: facts.injector };
});

/**
 * Returns the values of a control plane whose objects are not among those of the cluster: Argo CD inflates its chart, or it is
 * installed elsewhere and constructs declare its values.
 */
export function inflatedMesh(cluster: ReleasesIn & Pick<CheckedCluster, 'meshes'>): Values | undefined {
  const controlPlane = allReleases(cluster).find(({ chart }) => partOfChart(chart.name) === 'controlPlane');
  if (controlPlane === undefined) return cluster.meshes[0];
  return cluster.rendered.some((one) => one === controlPlane) ? undefined : controlPlane.values;
}
