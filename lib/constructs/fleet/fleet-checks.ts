import { listed } from '#base/findings/listed';
import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { memberAt } from '#base/json-pointer';
import { secretsIn } from '#base/secrets/secret-walk';
import { suggest } from '#base/suggest';
import { dottedPath } from '#base/value-path';
import type { Values } from '#base/values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { ReleaseFromChartsOptions } from '#linkerd/releases/release';
import type { ClusterDestination } from '../../gitops/tree/cluster';
import { FLEET_FINDINGS } from './findings';

/** A release that is rendered from its own charts. */
export interface ReleaseFromCharts extends ReleaseFromChartsOptions {
  readonly version: string;
  /** The folder of its charts, relative to the working directory. */
  readonly charts: string;
}

interface Level {
  readonly domain?: string;
  readonly release?: LinkerdVersion | ReleaseFromCharts;
  readonly external?: readonly Readonly<Record<string, string>>[];
  readonly settings?: Values | null;
}

/** The data of a fleet file that its schema accepts. */
export interface FleetData {
  readonly defaults?: Level;
  readonly rings?: readonly (Level & { readonly name: string; readonly revision?: string; readonly path?: string })[];
  readonly clusters: readonly (Level & {
    readonly name: string;
    readonly ring?: string;
    readonly destination?: ClusterDestination;
    readonly links?: readonly string[];
  })[];
}

/** A problem, and its place in the file. */
export interface LocatedProblem {
  readonly path: readonly string[];
  readonly problem: Problem;
}

const ROWS: Readonly<Record<string, string>> = { clusters: 'cluster', rings: 'ring' };

/** Returns the cluster or ring that contains a place of the file, and the path within it, for messages. */
export function rowOf(data: unknown, path: readonly string[]): { readonly row?: string; readonly path: string } {
  const [list = '', index = '', ...rest] = path;
  const kind = Object.hasOwn(ROWS, list) ? ROWS[list] : undefined;
  if (kind === undefined || index === '') return { path: dottedPath(path) };
  const name = [list, index, 'name'].reduce(memberAt, data);
  const row = typeof name === 'string' ? `${kind} ${name}` : dottedPath([list, index]);
  return { row, path: rest.length === 0 ? 'the entry' : dottedPath(rest) };
}

/** Reports what a schema cannot check: repeated names, unknown rings and links, and secrets. */
export function checkFleet(data: unknown): readonly LocatedProblem[] {
  const [rings, clusters] = [namedIn(data, 'rings'), namedIn(data, 'clusters')];
  return [
    ...checkRepeated(rings, FLEET_FINDINGS.ringRefusedFleet),
    ...checkRepeated(clusters, FLEET_FINDINGS.clusterNameTakenFleet),
    ...checkRings(clusters, rings),
    ...checkLinks(clusters),
    ...checkSecrets(data),
  ];
}

interface Named {
  readonly path: readonly string[];
  readonly name: string;
  readonly item: Readonly<Record<string, unknown>>;
}

/** The schema refuses items without a name. */
function namedIn(data: unknown, list: string): readonly Named[] {
  const items: unknown = isObject(data) ? (data as Readonly<Record<string, unknown>>)[list] : undefined;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown, index) => {
    if (!isObject(item)) return [];
    const { name } = item as { readonly name?: unknown };
    return typeof name === 'string' ? [{ path: [list, String(index)], name, item: item as Named['item'] }] : [];
  });
}

function checkRepeated(
  items: readonly Named[],
  problemOf: (parameters: Record<'name' | 'other', string>) => Problem,
): readonly LocatedProblem[] {
  const first = new Map<string, Named>();
  return items.flatMap((item) => {
    const other = first.get(item.name) ?? item;
    first.set(item.name, other);
    if (other === item) return [];
    const problem = problemOf({ name: item.name, other: dottedPath(other.path) });
    return [{ path: [...item.path, 'name'], problem: { ...problem, place: dottedPath(item.path) } }];
  });
}

function checkRings(clusters: readonly Named[], rings: readonly Named[]): readonly LocatedProblem[] {
  const names = [...new Set(rings.map(({ name }) => name))];
  const known = new Set(names);
  const shown = listed(names, MAX_LISTED);
  let unknown = 0;
  return clusters.flatMap(({ path, item: { ring } }): readonly LocatedProblem[] => {
    if (ring === undefined) {
      if (names.length === 0) return [];
      return [{ path, problem: FLEET_FINDINGS.ringMissingFleet({ ring: `${names[0]}` }) }];
    }
    if (typeof ring !== 'string' || known.has(ring)) return [];
    unknown += 1;
    // Searching for similar names takes time, and thousands of suggestions do not help.
    const similar = unknown > MAX_SUGGESTED ? undefined : suggest(ring, names)[0];
    return [{ path: [...path, 'ring'], problem: FLEET_FINDINGS.ringUnknownFleet({ ring, known: shown, similar }) }];
  });
}

function checkLinks(clusters: readonly Named[]): readonly LocatedProblem[] {
  const names = new Set(clusters.map(({ name }) => name));
  return clusters.flatMap(({ path, name, item: { links } }) =>
    (Array.isArray(links) ? links : []).flatMap((link: unknown, index) => {
      if (typeof link !== 'string' || (names.has(link) && link !== name)) return [];
      return [{ path: [...path, 'links', String(index)], problem: unknownLink(name, link, names) }];
    }),
  );
}

function unknownLink(cluster: string, link: string, names: ReadonlySet<string>): Problem {
  if (link === cluster) return FLEET_FINDINGS.clusterUnknownItself();
  const candidates = [...names].filter((name) => name !== cluster);
  return FLEET_FINDINGS.clusterUnknownFleet({ link, similar: suggest(link, candidates)[0] });
}

const MAX_SUGGESTED = 100;
const MAX_LISTED = 20;

function checkSecrets(data: unknown): readonly LocatedProblem[] {
  return secretsIn(data).map(({ path: segments, is }) => {
    const { path } = rowOf(data, segments);
    const secret = is === 'private key' ? 'a private key' : 'a password or a token';
    return { path: segments, problem: FLEET_FINDINGS.secretInFileFleet({ path, secret }) };
  });
}
