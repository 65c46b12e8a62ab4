import { posix } from 'node:path';
import { type FilePlace, type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { mergeValues } from '#base/values';
import { partOfChart } from '#linkerd/releases/charts';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { PlacedDeclarations, PlacedRelease, Release } from '../../checks/cluster/checked-cluster';
import { checkPartValues } from '../../checks/cluster/review-values';
import type { ConstructTree } from '../../gitops/tree/read-tree';
import type { RepositoryFiles } from '../repository/repository-files';
import {
  type ChartSource,
  chartsOf,
  createsNamespace,
  type FoundChart,
  installedChart,
  type PartialChart,
} from './charts-in-files';
import type { AppliedObject } from './found';
import type { NotRead } from './unread';

/** The charts that controllers install in one cluster. */
export interface InstalledCharts {
  readonly releases: readonly PlacedRelease[];
  readonly declarations: readonly PlacedDeclarations[];
  /** Findings about the values of the charts. */
  readonly findings: readonly Finding[];
  /** The places of charts that no object installs, by the path of their findings. */
  readonly places: ReadonlyMap<string, { readonly name: string; readonly source: FilePlace }>;
  /** The texts of the files with the values of an object, by the path of its findings. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Charts with values that cannot be read. */
  readonly unread: readonly NotRead[];
}

/** Returns the charts that the objects and charts of one cluster install. */
export function installedIn(
  world: readonly (AppliedObject | FoundChart)[],
  pathOf: (object: AppliedObject) => string,
  repository: RepositoryFiles,
): InstalledCharts {
  const objects = world.flatMap((one) => ('object' in one ? [one] : []));
  const plain = objects.map(({ object }) => object);
  const read = objects.map((found) => ({
    found,
    ...chartsOf(found.object, { objects: () => [...plain, ...(found.beside ?? [])], repository }),
  }));
  const umbrellas = world.flatMap((one) => ('chart' in one ? [one] : []));
  const all = [
    ...read.flatMap(({ found, charts }) =>
      charts.map((chart) => ({
        chart,
        source: found.source,
        path: pathOf(found),
        creates: createsNamespace(found.object),
      })),
    ),
    ...umbrellas.map(({ chart, source }) => ({ chart, source, path: keyOf(chart), creates: false })),
  ];
  const overlays = all.flatMap(({ chart }) => (chart.isOverlay === true ? [chart] : []));
  const installed = all.flatMap(({ chart, source, ...place }) => {
    if (chart.isOverlay === true) return [];
    return [{ ...installedChart(withOverlays(chart, overlays), place), source, path: place.path, construct: -1 }];
  });
  // The known values of these charts are checked, although other values are missing.
  const partial = read.flatMap(({ found, partial: charts }) =>
    charts.map((chart) => ({
      ...installedChart(chart, { path: pathOf(found), creates: false }),
      source: found.source,
      together: findingsAt(pathOf(found), knownProblems(chart)),
    })),
  );
  return {
    releases: installed.map(({ release, path, construct }) => ({ release, path, construct })),
    declarations: installed.map(({ declarations, path, construct }) => ({ declarations, path, construct })),
    findings: [
      ...[...installed, ...partial].flatMap(({ findings }) => findings),
      ...partial.flatMap((one) => one.together),
    ],
    texts: new Map(read.flatMap(({ found, texts }) => (texts.length === 0 ? [] : [[pathOf(found), texts]]))),
    places: new Map(umbrellas.map(({ chart, source }) => [keyOf(chart), { name: nameOf(chart), source }])),
    unread: [
      ...read.flatMap(({ found, unread }) => unread.map((one) => ({ ...one, source: found.source }))),
      ...[...installed, ...partial].flatMap(({ unknownVersion: reason, source }) =>
        reason === undefined ? [] : [{ why: 'version' as const, reason, source }],
      ),
    ],
  };
}

/** Returns the problems of values that do not depend on the variables in them. */
function knownProblems({ chart, values, raw }: PartialChart): readonly Problem[] {
  const part = partOfChart(chart);
  if (part === undefined || raw === undefined) return [];
  const others = new Set(checkPartValues(part, raw, undefined).map(({ what }) => what));
  return checkPartValues(part, values, undefined).filter(({ what }) => others.has(what));
}

/** A HelmChartConfig of k3s overrides the values of a HelmChart. */
function withOverlays(source: ChartSource, overlays: readonly ChartSource[]): ChartSource {
  const own = overlays.filter(({ chart }) => chart === source.chart);
  return { ...source, values: own.reduce((values, over) => mergeValues(values, over.values), source.values) };
}

function keyOf({ chart, place }: ChartSource): string {
  return `chart ${chart} in ${place}`;
}

function nameOf({ chart, place }: ChartSource): string {
  return `chart ${chart} of ${posix.dirname(place)}`;
}

/** Facts about a mesh that no file installs. */
export interface KnownMesh {
  /** The release of the mesh's control plane. */
  readonly release?: LinkerdVersion | undefined;
  /** The namespace in which trust-manager looks up sources of Bundles. */
  readonly trustNamespace?: string | undefined;
}

/** Adds charts to a tree of objects. */
export function withCharts(
  tree: ConstructTree,
  { releases, declarations }: InstalledCharts,
  { release, trustNamespace }: KnownMesh,
): ConstructTree {
  const has = (part: string) => releases.some(({ release: { chart } }) => chart.name === part);
  const known: Release[] = [];
  if (release !== undefined && !has('linkerd-control-plane')) {
    const { releaseOf } = require('#linkerd/releases/release') as typeof import('#linkerd/releases/release');
    const { controlPlane, crds } = releaseOf(release).charts;
    known.push({ chart: controlPlane, namespace: 'linkerd', values: {} });
    if (!has('linkerd-crds')) known.push({ chart: crds, namespace: 'linkerd', values: {} });
  }
  if (trustNamespace !== undefined && !has('trust-manager')) {
    const chart = { name: 'trust-manager', version: '', repository: '', kinds: [], foreignNamespaces: [] };
    known.push({ chart, namespace: trustNamespace, values: { app: { trust: { namespace: trustNamespace } } } });
  }
  return {
    ...tree,
    releases,
    rendered: known.map((one) => ({ ...one, path: '', construct: -1 })),
    declarations: [...tree.declarations, ...declarations],
  };
}
