import { type Definitions, type JsonSchema, pascalCase, refTo } from './json-schema';
import { type KindSchema, OBJECT_META } from './kind-schema';
import { shareDefinitions } from './share-definitions';

/** The schemas of the objects of one API group (or of all built-in objects), with the definition of each kind. */
export interface ObjectDocument {
  readonly definitions: Definitions;
  /** Definition by `apiVersion/kind`. */
  readonly kinds: Readonly<Record<string, string>>;
}

/** One document for the kinds of one API group. */
export function objectDocument(kinds: readonly KindSchema[]): ObjectDocument {
  const { index, schemas } = nameKinds(kinds);
  return { definitions: shareDefinitions({ ...schemas, ObjectMeta: OBJECT_META }), kinds: index };
}

/**
 * Names for kinds and their definitions. A kind with several versions has one name for each, such as
 * `ServerV1Beta3`; its plain name refers to the first version.
 */
export function nameKinds(kinds: readonly KindSchema[]): {
  readonly index: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
} {
  const index: Record<string, string> = {};
  const schemas: Record<string, JsonSchema> = {};
  for (const { apiVersion, kind, schema } of kinds) {
    const isOnly = kinds.filter((other) => other.kind === kind).length === 1;
    const name = isOnly ? kind : kind + pascalCase(apiVersion.slice(apiVersion.indexOf('/') + 1));
    index[`${apiVersion}/${kind}`] = name;
    schemas[name] = schema;
    schemas[kind] ??= refTo(name);
  }
  return { index, schemas };
}
