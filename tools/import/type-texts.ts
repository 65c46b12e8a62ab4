import { dirname, relative } from 'node:path/posix';
import { defined } from '#base/defined';
import { type Definitions, type JsonSchema, mapChildren, nameOfRef } from './json-schema';

/** Options for writing the types of a document. */
export interface TypeScriptOptions {
  /** The path of the document's module below `imports/`. Imports of other modules are relative to it. */
  readonly module: string;
  /** The type of an unrestricted value: `Json` for chart values, which are merged and compared as data. */
  readonly anything: 'unknown' | 'Json';
}

interface Writing extends TypeScriptOptions {
  readonly list: 'readonly ' | '';
}

/**
 * Prepares definitions for json-schema-to-typescript. Types that it cannot express (`int-or-string`, read-only lists,
 * null) become TypeScript text. Bounds and combinations are left out, because they add nothing to a type.
 */
export function withTypeTexts(definitions: Definitions, options: TypeScriptOptions): Definitions {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => {
      // The lists in the metadata of cdk8s' ApiObjectProps are not read-only.
      const list = name === 'ObjectMeta' ? '' : 'readonly ';
      const alias = schema.$ref === undefined ? undefined : { tsType: nameOfRef(schema.$ref) };
      return [name, alias ?? prepare(schema, { ...options, list })] as const;
    }),
  );
}

function prepare(schema: JsonSchema, options: Writing): JsonSchema {
  if (schema.$ref !== undefined) return foreignType(schema.$ref, options.module) ?? schema;
  const literal = schema.const === undefined ? schema.enum : [schema.const];
  if (literal !== undefined) return { tsType: union(literal.map((value) => JSON.stringify(value))) };
  const { type, properties, required, items, additionalProperties } = mapChildren(schema, (child) =>
    prepare(child, options),
  );
  const simple = simpleType([type ?? []].flat(), { items, additionalProperties }, options);
  if (simple !== undefined && properties === undefined && typeof additionalProperties !== 'object') {
    return { tsType: simple };
  }
  return defined({ type, properties, required, items, additionalProperties });
}

/** Returns undefined if the definition is in the same document. */
function foreignType(ref: string, module: string): JsonSchema | undefined {
  const [document = '', name = ''] = ref.split('#/definitions/');
  if (document === '') return undefined;
  const path = relative(dirname(module), document);
  return { tsType: `import('${path.startsWith('.') ? path : `./${path}`}').${name}` };
}

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

/** In parentheses, because `[]` may follow; formatting removes unneeded ones. */
function union(types: readonly (string | undefined)[]): string {
  return `(${[...new Set(types)].join(' | ')})`;
}
