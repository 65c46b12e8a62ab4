import { basename, relative, resolve } from 'node:path';
import { defined } from '#base/defined';
import { findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { byText } from '#base/remembered';
import { suggest } from '#base/suggest';
import { dottedPath } from '#base/value-path';
import { ChartError } from '#helm/chart/chart-error';
import { referencesIn } from '#kubernetes/objects/references';
import { ChartFolder } from '#linkerd/charts/chart-folder';
import { DEFAULT_LINKERD_VERSION, LINKERD_VERSIONS, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { type GivenRelease, Release } from '#linkerd/releases/release';
import { checkReleaseArguments } from '#linkerd/releases/release-arguments';
import { chartProblem } from '#linkerd/renderers/findings';
import type { Ring } from '../../gitops/argocd/ring';
import type { ClusterEntry } from '../../gitops/platform/cluster-entry';
import { formattedIfUncaught } from '../../gitops/platform/platform';
import { SynthError } from '../../gitops/platform/report';
import type { ClusterSource } from '../../gitops/tree/cluster';
import { FLEET_FINDINGS } from './findings';
import { checkFleet, type FleetData, type LocatedProblem, type ReleaseFromCharts, rowOf } from './fleet-checks';
import { fleetSchema, type JsonSchema } from './fleet-schema';
import { parseFleetText, type TextProblem } from './fleet-text';
import { readText } from './read-text';
import { compileSchema, type LocatedMisfit } from './schema-misfits';
import { settingsOfClusters } from './settings';

/** The clusters and rings of a file, for a Platform. */
export interface FleetFile<Settings = Readonly<Record<string, unknown>>> {
  /** The prop `rings` of the Platform. */
  readonly rings: readonly Ring[];
  /** The clusters to pass to `addClusters` of the Platform, in the order of the file. */
  readonly clusters: readonly ClusterEntry<Settings>[];
}

/** Options of readFleet. */
export interface FleetFileOptions<Settings> {
  /**
   * How to check the merged settings of each cluster (fleet, ring and cluster): a JSON Schema, whose defaults are
   * filled in, or a function that returns the checked settings, or throws.
   *
   * @default - no check: the settings have the type that you declare
   */
  readonly settings?: JsonSchema | ((settings: unknown, cluster: string) => Settings);
}

/**
 * Reads a fleet from a YAML or JSON file: rings, clusters, and your own settings for all clusters, for a ring or for
 * one cluster. Maps are merged, the cluster's over the ring's over the defaults; lists and other values are replaced;
 * null removes a value. The result is frozen.
 *
 * @param file relative to the working directory, like `outdir` of a Platform; to find it from any directory, use
 * `join(import.meta.dirname, 'fleet.yaml')`, in CommonJS `join(__dirname, 'fleet.yaml')`
 * @throws SynthError with all problems of the file
 */
export function readFleet<Settings = Readonly<Record<string, unknown>>>(
  file: string,
  options: FleetFileOptions<Settings> = {},
): FleetFile<Settings> {
  const place = relative(process.cwd(), resolve(file));
  const fleet = fleetOf<Settings>(readText(file), { file: place, ...options });
  if (!('problems' in fleet)) return fleet;
  const findings = fleet.problems.flatMap(({ problem, position }) =>
    findingsAt(basename(file), [problem]).map((finding) => ({ ...finding, source: { file: place, ...position } })),
  );
  throw formattedIfUncaught(new SynthError(findings));
}

function fleetOf<Settings>(
  text: string | Problem,
  { file, settings }: FleetFileOptions<Settings> & { readonly file: string },
): FleetFile<Settings> | { readonly problems: readonly TextProblem[] } {
  if (typeof text !== 'string') return { problems: [{ problem: text }] };
  const parsed = parseFleetText(text);
  if (!('data' in parsed)) return { problems: parsed };
  const { positionOf } = parsed;
  const located = ({ path, problem }: LocatedProblem): TextProblem => {
    const placed = { ...defined({ place: rowOf(parsed.data, path).row }), ...problem };
    return path.length === 0 ? { problem } : { problem: placed, position: positionOf(path) };
  };
  const validate = compileSchema(fleetSchema());
  const misfits = typeof validate === 'function' ? validate(parsed.data) : [];
  const wrong = misfits.map((misfit) => located(problemOf(misfit, parsed.data)));
  const found = checkFleet(parsed.data).map(located);
  if (wrong.length > 0) return { problems: [...wrong, ...found] };
  const data = parsed.data as FleetData;
  const merged = settingsOfClusters<Settings>(data, settings);
  const sourceOf = (index: number) => ({ file, line: positionOf(['clusters', String(index)]).line });
  const { releases, refused } = readReleases(data);
  const problems = [...found, ...refused.map(located), ...('problems' in merged ? merged.problems.map(located) : [])];
  if (problems.length > 0 || 'problems' in merged) return { problems };
  return frozen({ rings: ringsOf(data, releases), clusters: clustersOf(data, releases, merged.settings, sourceOf) });
}

function problemOf({ segments, data: value, ...misfit }: LocatedMisfit, data: unknown): LocatedProblem {
  const { row, path } = rowOf(data, segments);
  if (misfit.is === 'unsupported' && isRelease(segments)) {
    return { path: segments, problem: unknownRelease({ path, release: misfit.value, data: value }) };
  }
  if (segments.length === 0) {
    return { path: segments, problem: FLEET_FINDINGS.fleetEntryInvalidFile({ value: misfit.value }) };
  }
  // Without the row in the hint, equal mistakes have equal messages.
  const hint = row === undefined ? misfit.hint : misfit.hint.replaceAll(`${dottedPath(segments.slice(0, 2))}.`, '');
  return { path: segments, problem: FLEET_FINDINGS.fleetEntryInvalid({ ...misfit, path, hint }) };
}

function isRelease(path: readonly string[]): boolean {
  return path.at(-1) === 'release' || (path.at(-2) === 'release' && path.at(-1) === 'injectorLike');
}

/** The message has one example, because there are too many releases to list. YAML reads 2.20 as the number 2.2. */
function unknownRelease({ path, release, data }: { path: string; release: string; data: unknown }): Problem {
  if (typeof data !== 'number') {
    return FLEET_FINDINGS.versionUnknownFleet({ path, release, example: DEFAULT_LINKERD_VERSION });
  }
  const [meant = DEFAULT_LINKERD_VERSION] = suggest(String(data), LINKERD_VERSIONS);
  return FLEET_FINDINGS.versionUnknownNumber({ path, release, meant });
}

/** Releases by the JSON of the map in the file. */
type Releases = ReadonlyMap<string, Release>;

function readReleases({ defaults = {}, rings = [], clusters }: FleetData): {
  readonly releases: Releases;
  readonly refused: readonly LocatedProblem[];
} {
  const folderOf = byText((path) => ChartFolder.at(path));
  const read = byText((text): Release | readonly Problem[] => {
    const { version, charts, ...options } = JSON.parse(text) as ReleaseFromCharts;
    const problems = checkReleaseArguments(version, options);
    if (problems.length > 0) return problems;
    try {
      return Release.fromCharts(folderOf(charts), version, options);
    } catch (error) {
      if (error instanceof ChartError) return [chartProblem(error)];
      throw error;
    }
  });
  const levels = [
    { path: ['defaults'], release: defaults.release },
    ...rings.map(({ release }, index) => ({ path: ['rings', String(index)], release })),
    ...clusters.map(({ release }, index) => ({ path: ['clusters', String(index)], release })),
  ];
  const results = levels.flatMap(({ path, release }) => {
    if (typeof release !== 'object') return [];
    const text = JSON.stringify(release);
    return [{ path: [...path, 'release'], text, result: read(text) }];
  });
  return {
    releases: new Map(results.flatMap(({ text, result }) => (result instanceof Release ? [[text, result]] : []))),
    refused: results.flatMap(({ path, result }) =>
      result instanceof Release ? [] : result.map((problem) => ({ path, problem })),
    ),
  };
}

function ringsOf({ rings = [], defaults = {} }: FleetData, releases: Releases): readonly Ring[] {
  return rings.map(({ name, revision, path, release = defaults.release }) =>
    defined({ name, revision, path, release: releaseIn(release, releases) }),
  );
}

function clustersOf<Settings>(
  { clusters, rings = [], defaults = {} }: FleetData,
  releases: Releases,
  settings: readonly Settings[],
  sourceOf: (index: number) => ClusterSource,
): readonly ClusterEntry<Settings>[] {
  const byName = new Map(rings.map((ring) => [ring.name, ring]));
  return clusters.map(({ name, ring, destination, links, ...own }, index) => {
    const ofRing = byName.get(ring ?? '') ?? {};
    const { domain, release, external } = { ...defaults, ...ofRing, ...own };
    return defined({
      name,
      ring,
      destination,
      domain,
      release: releaseIn(release, releases),
      links,
      external: external && referencesIn(external),
      settings: settings[index] as Settings,
      source: sourceOf(index),
    });
  });
}

function releaseIn(
  release: LinkerdVersion | ReleaseFromCharts | undefined,
  releases: Releases,
): GivenRelease | undefined {
  return typeof release === 'object' ? releases.get(JSON.stringify(release)) : release;
}

/** The function that builds one cluster must not change the data of the next. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) if (isPlain(member)) frozen(member);
  return Object.freeze(value);
}

/** The function for settings may return a Duration or another object with a class, which stays unfrozen. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
