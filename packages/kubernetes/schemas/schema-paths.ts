import { grouped } from '#base/grouped';
import { isObject } from '#base/is-object';
import { remembered } from '#base/remembered';
import { suggest } from '#base/suggest';
import { resolveSchema, type Schema } from './schema-store';

/** Maximum depth of a lookup: schemas of schemas are recursive. */
const MAX_DEPTH = 5;

const MAX_PLACES = 3;

type Path = readonly string[];

/** An unknown key, with its value. */
export interface UnknownKey {
  /** The path from the root of the data to the key. */
  readonly place: Path;
  readonly value: unknown;
  /** Known keys of the same map. */
  readonly siblings: readonly string[];
}

/** The known paths that an unknown key may mean: any one of them, or all together. */
export interface Suggestion {
  readonly paths: readonly Path[];
  readonly join: 'or' | 'and';
}

/**
 * Returns the paths that an unknown key may mean: a similar key of the same map, or a key further down or of a parent
 * map. Of several known paths, it chooses the one that shares the longest prefix with the given path. Kubernetes' words
 * for resources, `requests` and `limits`, mean `request` and `limit` of each resource, as in some charts.
 */
export function suggestPaths({ place, value, siblings }: UnknownKey, root: Schema): Suggestion | undefined {
  const parent = place.slice(0, -1);
  const key = place.at(-1) ?? '';
  const below = pathsBelow(schemaWithin(root, parent));
  const resources = resourcePaths(key, value).flatMap((tail) =>
    unambiguous(below.all.filter((path) => endsWith(path, tail))),
  );
  if (resources.length > 0) return { paths: resources.map((path) => [...parent, ...path]), join: 'and' };
  const [beside] = suggest(key, siblings);
  if (beside !== undefined) return { paths: [[...parent, beside]], join: 'or' };
  const alike = unambiguous(below.alike.get(singular(key)) ?? []);
  if (alike.length > 0) return { paths: alike.map((path) => [...parent, ...path]), join: 'or' };
  for (let length = parent.length - 1; length >= 0; length--) {
    const above = parent.slice(0, length);
    const [name] = pathsBelow(schemaWithin(root, above)).named.get(plain(key)) ?? [];
    if (name !== undefined) return name.length === 1 ? { paths: [[...above, ...name]], join: 'or' } : undefined;
  }
  return undefined;
}

const RESOURCE_WORDS: Readonly<Record<string, string>> = { requests: 'request', limits: 'limit' };

/** Returns what `requests: {cpu: …}`, or a quota's `requests.cpu`, means in charts with a map for each resource. */
function resourcePaths(key: string, value: unknown): readonly Path[] {
  const [word = '', resource] = key.split('.');
  const ofCharts = Object.hasOwn(RESOURCE_WORDS, word) ? RESOURCE_WORDS[word] : undefined;
  if (ofCharts === undefined) return [];
  if (resource !== undefined) return [[resource, ofCharts]];
  const names = isObject(value) ? Object.keys(value) : [];
  return (names.length === 0 ? ['cpu', 'memory'] : names).map((name) => [name, ofCharts]);
}

function schemaWithin(root: Schema, place: Path): Schema {
  return place.reduce<Schema>((schema, segment) => {
    const { properties = {}, items, additionalProperties } = resolveSchema(schema);
    if (Object.hasOwn(properties, segment)) return properties[segment] ?? {};
    if (items !== undefined && /^\d+$/.test(segment)) return items;
    return isObject(additionalProperties) ? (additionalProperties as Schema) : {};
  }, root);
}

interface KnownPaths {
  readonly all: readonly Path[];
  /** The paths by their last segment. */
  readonly named: ReadonlyMap<string, readonly Path[]>;
  /** The paths by their last segment, or the last two, in the singular. */
  readonly alike: ReadonlyMap<string, readonly Path[]>;
}

const pathsBelow = remembered((schema: Schema): KnownPaths => {
  const all = knownPaths(schema);
  return {
    all,
    named: grouped(all.map((path) => [plain(path.at(-1) ?? ''), path])),
    alike: grouped(
      all.flatMap((path) => {
        const [last = '', before = ''] = path.toReversed();
        return [...new Set([last, before + last].map(singular))].map((name) => [name, path] as const);
      }),
    ),
  };
});

function knownPaths(schema: Schema): readonly Path[] {
  const found: Path[] = [];
  let level: readonly { readonly at: Schema; readonly path: Path }[] = [{ at: schema, path: [] }];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap(({ at, path }) =>
      Object.entries(resolveSchema(at).properties ?? {}).map(([name, child]) => ({ at: child, path: [...path, name] })),
    );
    found.push(...level.map(({ path }) => path));
  }
  return found;
}

function unambiguous(paths: readonly Path[]): readonly Path[] {
  const nearest = paths.filter((path) => path.length === paths[0]?.length);
  return nearest.length > MAX_PLACES ? [] : nearest;
}

function endsWith(path: Path, tail: Path): boolean {
  return tail.every((segment, index) => path[path.length - tail.length + index] === segment);
}

function singular(name: string): string {
  return plain(name).replace(/s$/, '');
}

/** Returns a name without case and separators, which are often confused. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
