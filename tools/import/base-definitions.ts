import { type Definitions, type JsonSchema, mapChildren, nameOfRef, refTo } from './json-schema';

/** A document with definitions for others to refer to, by its path below `imports/` without the suffix. */
interface BaseDocument {
  readonly module: string;
  readonly definitions: Definitions;
}

/**
 * Returns definitions in which references replace those that another document also has. `root` stays, so that its type
 * lists all properties. Unused definitions are left out.
 */
export function withBaseDefinitions(definitions: Definitions, base: BaseDocument, root: string): Definitions {
  const known = new Map(Object.keys(base.definitions).map((name) => [contentOf(refTo(name), base.definitions), name]));
  const shared = (schema: JsonSchema): JsonSchema => {
    if (!isLocal(schema)) return mapChildren(schema, shared);
    const name = known.get(contentOf(schema, definitions));
    return name === undefined ? schema : { $ref: `${base.module}${refTo(name).$ref}` };
  };
  const rewritten = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, mapChildren(schema, shared)] as const),
  );
  const used = usedFrom(root, rewritten);
  return Object.fromEntries(Object.entries(rewritten).filter(([name]) => used.has(name)));
}

/** Whether two documents have equal definitions. */
export function sameDefinitions(one: Definitions, other: Definitions): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isLocal({ $ref }: JsonSchema): boolean {
  return $ref?.startsWith('#') ?? false;
}

function contentOf(schema: JsonSchema, definitions: Definitions): string {
  const expand = (one: JsonSchema): JsonSchema =>
    isLocal(one) ? expand(definitions[nameOfRef(one.$ref ?? '')] ?? {}) : mapChildren(one, expand);
  return JSON.stringify(expand(schema));
}

function usedFrom(root: string, definitions: Definitions): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    const look = (schema: JsonSchema): JsonSchema => {
      if (isLocal(schema)) visit(nameOfRef(schema.$ref ?? ''));
      return mapChildren(schema, look);
    };
    mapChildren(definitions[name] ?? {}, look);
  };
  visit(root);
  return used;
}
