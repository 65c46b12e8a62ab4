import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { PinnedChart } from '../charts/pinned-chart';
import { CHART_OF_PART, LINKERD_PARTS, type LinkerdPart, partOfChart, releaseOfChart } from './charts';
import {
  type Definition,
  definition,
  definitionIn,
  definitionsOf,
  definitionWords,
  GATEWAY_API_GROUP,
} from './definitions';

/** The releases of the installed parts of Linkerd. */
export type InstalledReleases = Readonly<Partial<Record<LinkerdPart, string>>>;

/** The parts of Linkerd that a cluster's output installs, and all CRDs with known versions. */
export interface Installed {
  readonly releases: InstalledReleases;
  /** Sorted by name. */
  readonly definitions: readonly Definition[];
  /** Inferred from incomplete data: there may be more. */
  readonly isPartial?: true;
}

/** What a cluster installs: charts for Helm, charts that were rendered, and objects. */
interface Contents {
  readonly releases: readonly { readonly release: ChartRelease }[];
  readonly rendered: readonly Pick<ChartRelease, 'chart'>[];
  readonly objects: readonly { readonly object: KubernetesObject }[];
}

interface ChartRelease {
  readonly chart: PinnedChart;
  readonly values: Values;
}

/** Returns what a cluster's constructs install. */
export function installedBy({ releases, rendered, objects }: Contents): Installed {
  const charts = [...releases.map(({ release }) => release.chart), ...rendered.map(({ chart }) => chart)];
  const ofCharts = releases.flatMap(({ release: { chart, values } }) =>
    partOfChart(chart.name) === 'crds' ? definitionsOf(releaseOfChart(chart) ?? '', values) : [],
  );
  return {
    releases: releasesOf(charts),
    definitions: sorted([...ofCharts, ...objects.flatMap(({ object }) => definitionIn(object))]),
  };
}

function releasesOf(charts: readonly Parameters<typeof releaseOfChart>[0][]): InstalledReleases {
  return Object.fromEntries(
    charts.flatMap((chart) => {
      const [part, release] = [partOfChart(chart.name), releaseOfChart(chart)];
      return part === undefined || release === undefined ? [] : [[part, release] as const];
    }),
  );
}

/**
 * Returns the installed parts as lines of text, one for each release and definition, so that they merge well; absent if
 * empty.
 */
export function installedWords({ releases, definitions }: Installed): {
  readonly releases?: readonly string[];
  readonly definitions?: readonly string[];
} {
  const parts = LINKERD_PARTS.filter((part) => releases[part] !== undefined);
  return {
    ...(parts.length === 0 ? {} : { releases: parts.map((part) => `${CHART_OF_PART[part]} ${releases[part]}`) }),
    ...(definitions.length === 0 ? {} : { definitions: definitions.map((of) => definitionWords(of).join(' ')) }),
  };
}

interface InstalledLines {
  /** The charts that Helm inflates, as name and version. */
  readonly charts: readonly string[];
  readonly releases?: readonly string[];
  readonly definitions?: readonly string[];
}

/** Parses the lines of `installedWords`; undefined if nothing of Linkerd is installed. */
export function installedFrom({ charts, releases, definitions }: InstalledLines): Installed | undefined {
  if (releases === undefined && definitions === undefined) return installedByCharts(charts);
  const parts = wordsOf(releases).flatMap(([name = '', release = '']) => {
    const part = partOfChart(name);
    return part === undefined || release === '' ? [] : [[part, release] as const];
  });
  const known = wordsOf(definitions).map(([name = '', ...versions]) => definition(name, ...versions));
  return { releases: Object.fromEntries(parts), definitions: sorted(known) };
}

/**
 * Infers the installed parts from an index of an older library, which lists only the charts that Helm inflates. The
 * control plane had the release of the CRDs, even if it was rendered without Helm. Whether the Gateway API was
 * installed with them is unknown.
 */
function installedByCharts(charts: InstalledLines['charts']): Installed | undefined {
  const found = releasesOf(wordsOf(charts).map(([name = '', version = '']) => ({ name, version })));
  const { crds, controlPlane = crds } = found;
  if (controlPlane === undefined) return undefined;
  const definitions = definitionsOf(crds ?? '', {}).filter(({ name }) => !name.endsWith(`.${GATEWAY_API_GROUP}`));
  return { releases: { ...found, controlPlane }, definitions, isPartial: true };
}

function wordsOf(lines: readonly string[] = []): readonly (readonly string[])[] {
  return lines.map((line) => line.split(' '));
}

function sorted(definitions: readonly Definition[]): readonly Definition[] {
  return definitions.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}
