import { describeException } from '#base/findings/exception';
import { listed } from '#base/findings/listed';
import type { Problem } from '#base/findings/problem';
import { isMap, overlayValues, type Value, type Values } from '#base/values';
import { FLEET_FINDINGS } from './findings';
import type { FleetData, LocatedProblem } from './fleet-checks';
import type { JsonSchema } from './fleet-schema';
import { compileSchema, type LocatedMisfit } from './schema-misfits';

interface Mistake extends LocatedProblem {
  readonly clusters: string[];
}

/**
 * Returns the checked settings of each cluster, or all their problems. Settings of a cluster with an unknown ring are
 * not checked, because a part of them is unknown.
 */
export function settingsOfClusters<Settings>(
  data: FleetData,
  check: JsonSchema | ((settings: unknown, cluster: string) => Settings) | undefined,
): { readonly settings: readonly Settings[] } | { readonly problems: readonly LocatedProblem[] } {
  const refused = (problem: Problem) => ({ problems: [{ path: [], problem }] });
  if (check !== undefined && typeof check !== 'function' && !isMap(check as Value)) {
    return refused(FLEET_FINDINGS.settingsRefusedOption());
  }
  const validate = typeof check === 'object' ? compileSchema(check) : undefined;
  if (typeof validate === 'object') return refused(validate);
  const size = sizeOfAll(data);
  if (size > MAX_VALUES) return refused(FLEET_FINDINGS.fleetFileRefusedSettings({ size }));
  const mistakes = new Map<string, Mistake>();
  const settings = data.clusters.map((cluster, index) => {
    const { merged, sources } = merge(data, index);
    if (!hasKnownRing(data, cluster.ring)) return merged as Settings;
    const tell = (problem: Problem, segments: readonly string[] = []) => {
      // The function is a part of the program, so its mistake has no place in the file.
      const path = problem === ASYNC ? [] : sourceOf(sources, segments);
      const key = JSON.stringify([problem.code, problem.parameters, path]);
      const known = mistakes.get(key) ?? { path, problem, clusters: [] };
      known.clusters.push(cluster.name);
      mistakes.set(key, known);
    };
    for (const { problem, path } of (validate?.(merged) ?? []).map(problemOf)) tell(problem, path);
    return typeof check === 'function' ? checked(check, { merged, name: cluster.name, tell }) : (merged as Settings);
  });
  if (mistakes.size === 0) return { settings };
  return { problems: [...mistakes.values()].map(ofClusters) };
}

function hasKnownRing({ rings = [] }: FleetData, ring: string | undefined): boolean {
  return ring === undefined ? rings.length === 0 : rings.some(({ name }) => name === ring);
}

function checked<Settings>(
  check: (settings: unknown, cluster: string) => Settings,
  { merged, name, tell }: { merged: Values; name: string; tell: (problem: Problem) => void },
): Settings {
  try {
    const settings = check(merged, name);
    if (!isPromise(settings)) return settings;
    // An unhandled rejection would end the process.
    settings.then(undefined, () => {});
    tell(ASYNC);
    return merged as Settings;
  } catch (error) {
    tell(FLEET_FINDINGS.settingsRefused({ exception: describeException(error) }));
    return merged as Settings;
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

const ASYNC = FLEET_FINDINGS.settingsRefusedAsync();

/** Maximum for all clusters together, such as 400 values for each of 10,000 clusters. */
const MAX_VALUES = 4_000_000;

function sizeOfAll({ defaults = {}, rings = [], clusters }: FleetData): number {
  const ofRings = new Map(rings.map(({ name, settings }) => [name, sizeOf(settings)]));
  const ofFleet = sizeOf(defaults.settings);
  return clusters.reduce(
    (sum, { ring = '', settings }) => sum + ofFleet + (ofRings.get(ring) ?? 0) + sizeOf(settings),
    0,
  );
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member), 1);
}

interface Source {
  readonly path: readonly string[];
  readonly settings: Values;
}

function merge(
  { defaults = {}, rings = [], clusters }: FleetData,
  index: number,
): { readonly merged: Values; readonly sources: readonly Source[] } {
  const cluster = clusters[index];
  const ringIndex = cluster?.ring === undefined ? -1 : rings.findIndex(({ name }) => name === cluster.ring);
  const sources: readonly Source[] = [
    { path: ['clusters', String(index), 'settings'], settings: cluster?.settings ?? {} },
    { path: ['rings', String(ringIndex), 'settings'], settings: rings[ringIndex]?.settings ?? {} },
    { path: ['defaults', 'settings'], settings: defaults.settings ?? {} },
  ];
  const laid = sources.reduceRight<Values>((under, { settings }) => overlayValues(under, settings), {});
  return { merged: unshared(laid) as Values, sources };
}

/** Copies maps and lists, so that a change to the settings of one cluster does not affect others. */
function unshared(value: Value): Value {
  if (Array.isArray(value)) return value.map(unshared);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of = null]) => [key, unshared(of)]));
}

function sourceOf(sources: readonly Source[], segments: readonly string[]): readonly string[] {
  const found = sources.find(({ settings }) => has(settings, segments));
  return [...((found ?? sources[0])?.path ?? []), ...(found === undefined ? [] : segments)];
}

function has(settings: Values, segments: readonly string[]): boolean {
  let at: unknown = settings;
  return (
    segments.length > 0 &&
    segments.every((key) => {
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
      at = (at as Readonly<Record<string, unknown>>)[key];
      return true;
    })
  );
}

function problemOf({ segments, data, ...misfit }: LocatedMisfit): LocatedProblem {
  return { path: segments, problem: FLEET_FINDINGS.settingsInvalid(misfit) };
}

const MAX_NAMED = 3;

function ofClusters({ path, problem, clusters }: Mistake): LocatedProblem {
  return { path, problem: { ...problem, place: listed(clusters, MAX_NAMED) } };
}
