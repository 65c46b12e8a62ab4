import { KUBERNETES_REF } from './helm-nullable';
import { type Definitions, type JsonSchema, mapChildren, nameOfRef } from './json-schema';

/** Options for writing the types of a document. */
export interface TypeScriptOptions {
  /** The module with Kubernetes' types, as seen from the document's. */
  readonly kubernetesModule: string;
  /** The type of what may be anything: `Json` for values, which are merged and compared as data. */
  readonly anything: 'unknown' | 'Json';
}

/** Options for writing one definition. */
interface Writing extends TypeScriptOptions {
  readonly list: 'readonly ' | '';
}

/**
 * The definitions as json-schema-to-typescript prints them best: what it has no words for (`int-or-string`, read-only
 * lists, null) is text already, and bounds and combinations, which it would print as noise, are left out.
 */
export function withTypeTexts(definitions: Definitions, options: TypeScriptOptions): Definitions {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => {
      // The metadata of cdk8s' ApiObjectProps has lists that may be changed.
      const list = name === 'ObjectMeta' ? '' : 'readonly ';
      const alias = schema.$ref === undefined ? undefined : { tsType: nameOfRef(schema.$ref) };
      return [name, alias ?? prepare(schema, { ...options, list })] as const;
    }),
  );
}

function prepare(schema: JsonSchema, options: Writing): JsonSchema {
  if (schema.$ref?.startsWith(KUBERNETES_REF)) {
    return { tsType: `import('${options.kubernetesModule}').${schema.$ref.slice(KUBERNETES_REF.length)}` };
  }
  if (schema.$ref !== undefined) return schema;
  const literal = schema.const === undefined ? schema.enum : [schema.const];
  if (literal !== undefined) return { tsType: union(literal.map((value) => JSON.stringify(value))) };
  const { type, properties, required, items, additionalProperties } = mapChildren(schema, (child) =>
    prepare(child, options),
  );
  const simple = simpleType([type ?? []].flat(), { items, additionalProperties }, options);
  if (simple !== undefined && properties === undefined && typeof additionalProperties !== 'object') {
    return { tsType: simple };
  }
  const shape = { type, properties, required, items, additionalProperties };
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined));
}

/** The text of a type without members of its own, and of a list of what has a name or a text. */
function simpleType(
  types: readonly string[],
  { items, additionalProperties }: JsonSchema,
  { anything, list }: Writing,
): string | undefined {
  if (types.length === 0) return anything;
  const itemType = items?.$ref === undefined ? items?.tsType : nameOfRef(items.$ref);
  const texts: Readonly<Record<string, string | undefined>> = {
    array: typeof itemType === 'string' ? `${list}${itemType}[]` : undefined,
    boolean: 'boolean',
    integer: 'number',
    null: 'null',
    number: 'number',
    object: `{ [key: string]: ${additionalProperties === false ? 'never' : anything} }`,
    string: 'string',
  };
  return types.every((type) => texts[type] !== undefined) ? union(types.map((type) => texts[type])) : undefined;
}

/** In parentheses, because `[]` may follow; formatting removes those that are not needed. */
function union(types: readonly (string | undefined)[]): string {
  return `(${[...new Set(types)].join(' | ')})`;
}
