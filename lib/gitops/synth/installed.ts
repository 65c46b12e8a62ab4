import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { isMap, type Value } from '../../kubernetes/values';
import {
  CHART_OF_PART,
  LINKERD_PARTS,
  type LinkerdPart,
  partOfChart,
  releaseOfChart,
} from '../../linkerd/releases/charts';
import {
  type Definition,
  definition,
  definitionsOf,
  definitionWords,
  GATEWAY_API_GROUP,
} from '../../linkerd/releases/definitions';
import type { ConstructTree } from '../tree/read-tree';

/** The releases of the parts of Linkerd that a cluster has. */
export type InstalledReleases = Readonly<Partial<Record<LinkerdPart, string>>>;

/** The parts of Linkerd that a cluster's output installs, and all CRDs of which the versions are known. */
export interface Installed {
  readonly releases: InstalledReleases;
  /** In the order of their names. */
  readonly definitions: readonly Definition[];
  /** Tells whether it was made out from less than the whole: there may have been more. */
  readonly isPartial?: true;
}

/** Reads off a cluster's constructs what they install. */
export function installedBy({ releases, rendered, objects }: ConstructTree): Installed {
  const charts = [...releases.map(({ release }) => release.chart), ...rendered];
  const ofCharts = releases.flatMap(({ release: { chart, values } }) =>
    partOfChart(chart.name) === 'crds' ? definitionsOf(releaseOfChart(chart) ?? '', values) : [],
  );
  return {
    releases: releasesOf(charts),
    definitions: sorted([...ofCharts, ...objects.flatMap(({ object }) => definitionIn(object))]),
  };
}

/** The releases of charts, whoever renders them. */
function releasesOf(charts: readonly { readonly name: string; readonly version: string }[]): InstalledReleases {
  return Object.fromEntries(
    charts.flatMap((chart) => {
      const [part, release] = [partOfChart(chart.name), releaseOfChart(chart)];
      return part === undefined || release === undefined ? [] : [[part, release] as const];
    }),
  );
}

/** The definition that an object is; none for any other. */
export function definitionIn({ apiVersion, kind, metadata, spec }: KubernetesObject): readonly Definition[] {
  if (kind !== 'CustomResourceDefinition' || apiGroup(apiVersion) !== 'apiextensions.k8s.io') return [];
  const { versions } = (spec ?? {}) as { readonly versions?: unknown };
  if (!Array.isArray(versions)) return [];
  const known = versions.filter(isVersion).map(({ name, served, storage }) => ({ name, served, storage }));
  return [{ name: metadata.name, versions: known }];
}

function isVersion(version: unknown): version is Definition['versions'][number] {
  if (!isMap(version as Value)) return false;
  const { name, served, storage } = version as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && typeof served === 'boolean' && typeof storage === 'boolean';
}

/** The same as lines of text, one for each release and each definition, so that they merge; nothing where there is none. */
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

/** The lines of an index that say what is installed. */
interface InstalledLines {
  /** Each chart that Helm inflates, as its name and version. */
  readonly charts: readonly string[];
  readonly releases?: readonly string[];
  readonly definitions?: readonly string[];
}

/** Reads what `installedWords` wrote; undefined where nothing of Linkerd is installed. */
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
 * Makes it out from an index of an older library, which lists the charts that Helm inflates and no others. The control
 * plane was of the release of the CRDs, also where it was rendered without Helm; whether the Gateway API came with them
 * is not known.
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
