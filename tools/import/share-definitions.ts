import { type Definitions, type JsonSchema, mapChildren, pascalCase, refTo, sortedByKey } from './json-schema';

/** A schema that occurs twice gets a name if its JSON has at least this length. */
const WORTH_SHARING = 100;

/** A schema of at least this length always gets a name: a separate line, which is compiled only when data needs it. */
const WORTH_A_LINE = 400;

interface Interned {
  readonly schema: JsonSchema;
  /** The first place of the schema: definition, then property names. */
  readonly path: readonly string[];
  readonly length: number;
}

/** Distinct object schemas by their temporary reference, before some of them get a name. */
type Pool = ReadonlyMap<string, Interned>;

/**
 * The same definitions, in which every object schema that is long, occurs more than once or describes a list's items
 * is moved to a separate definition, named after the field of its first place.
 */
export function shareDefinitions(definitions: Definitions): Definitions {
  const { roots, pool } = internAll(definitions);
  const names = nameShared(
    pool,
    countUses([...Object.values(roots), ...[...pool.values()].map(({ schema }) => schema)]),
    roots,
  );
  const expand = (schema: JsonSchema): JsonSchema => {
    const target = pool.get(schema.$ref ?? '');
    if (target === undefined || schema.$ref === undefined) return mapChildren(schema, expand);
    const name = names.get(schema.$ref);
    return name === undefined ? mapChildren(target.schema, expand) : refTo(name);
  };
  const shared = [...names].map(([ref, name]) => [name, pool.get(ref)?.schema ?? {}] as const);
  return sortedByKey(
    Object.fromEntries(
      [...Object.entries(roots), ...shared].map(([name, schema]) => [name, mapChildren(schema, expand)]),
    ),
  );
}

function internAll(definitions: Definitions): { readonly roots: Definitions; readonly pool: Pool } {
  const refs = new Map<string, string>();
  const pool = new Map<string, Interned>();
  const internChildren = (schema: JsonSchema, path: readonly string[]): JsonSchema =>
    mapChildren(schema, (child, segment) => intern(child, [...path, segment]));
  const intern = (schema: JsonSchema, path: readonly string[]): JsonSchema => {
    const inner = internChildren(schema, path);
    if (inner.properties === undefined) return inner;
    const key = JSON.stringify(inner);
    const ref = refs.get(key) ?? `~${refs.size}`;
    refs.set(key, ref);
    if (!pool.has(ref)) pool.set(ref, { schema: inner, path, length: key.length });
    return { $ref: ref };
  };
  const roots = Object.entries(sortedByKey(definitions)).map(
    ([name, schema]) => [name, internChildren(schema, [name])] as const,
  );
  return { roots: Object.fromEntries(roots), pool };
}

function countUses(schemas: readonly JsonSchema[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const visit = (schema: JsonSchema): JsonSchema => {
    if (schema.$ref !== undefined) uses.set(schema.$ref, (uses.get(schema.$ref) ?? 0) + 1);
    return mapChildren(schema, visit);
  };
  for (const schema of schemas) visit(schema);
  return uses;
}

function nameShared(pool: Pool, uses: ReadonlyMap<string, number>, roots: Definitions): ReadonlyMap<string, string> {
  const taken = new Set(Object.keys(roots));
  const names = new Map<string, string>();
  for (const [ref, { path, length }] of pool) {
    const isShared = (uses.get(ref) ?? 0) > 1 && length >= WORTH_SHARING;
    if (path.at(-1) !== 'item' && !isShared && length < WORTH_A_LINE) continue;
    const name = freeName(path, taken);
    taken.add(name);
    names.set(ref, name);
  }
  return names;
}

const VAGUE = new Set(['Item', 'Value', 'Spec', 'Metadata']);

function freeName(path: readonly string[], taken: ReadonlySet<string>): string {
  const words = path.map(pascalCase);
  for (let count = 1; count <= words.length; count++) {
    const name = words.slice(-count).join('');
    if (!taken.has(name) && !VAGUE.has(name)) return name;
  }
  for (let number = 2; ; number++) {
    const name = `${words.join('')}${number}`;
    if (!taken.has(name)) return name;
  }
}
