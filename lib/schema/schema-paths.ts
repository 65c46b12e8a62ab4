import { resolveSchema, type Schema } from './schema-store';

/** Depth of a look-up: schemas of schemas have no end. */
const MAX_DEPTH = 5;

/** Paths of the keys that a schema knows; those near the top first. */
export function knownPaths(schema: Schema): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let level: readonly { readonly at: Schema; readonly path: readonly string[] }[] = [{ at: schema, path: [] }];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap(({ at, path }) =>
      Object.entries(resolveSchema(at).properties ?? {}).map(([name, child]) => ({ at: child, path: [...path, name] })),
    );
    found.push(...level.map(({ path }) => path));
  }
  return found;
}
