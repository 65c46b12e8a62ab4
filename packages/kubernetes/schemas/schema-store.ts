import index from '#imports/index.json';
import type { ListKeys } from '../objects/list-keys';

/** The part of JSON Schema that is used in `imports/` and in error messages. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly [MAP_KEYS]?: ListKeys;
  readonly [LIST_TYPE]?: string;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [REF]?: string;
}

/** The address of a definition: the document's path below `imports/`, `#`, and its name. */
export type SchemaAddress = string;

/**
 * Replaces `$ref` in the schemas for ajv: a custom keyword that compiles its target on demand. An object uses few of
 * the 300 definitions behind a Deployment, and compiling only these takes a third of the time.
 */
export const REF = 'lazyRef';

/** Keywords for merging a list: both forbid duplicate items. */
export const MAP_KEYS = 'x-kubernetes-list-map-keys';
export const LIST_TYPE = 'x-kubernetes-list-type';

const ADDRESSES: Readonly<Record<string, SchemaAddress>> = index;

/** Returns the address of the schema of a kind (`apiVersion/kind`) or of a chart's values (`charts/NAME/RELEASE`). */
export function schemaAddress(key: string): SchemaAddress | undefined {
  return Object.hasOwn(ADDRESSES, key) ? ADDRESSES[key] : undefined;
}

const definitions = new Map<SchemaAddress, Schema>();

/** Returns one definition, read on first use. */
export function schemaAt(address: SchemaAddress): Schema {
  const known = definitions.get(address);
  if (known !== undefined) return known;
  const [document = '', name = ''] = address.split('#');
  const { definitions: raw } = require(`../../../imports/${document}.schema.json`) as {
    definitions: Record<string, unknown>;
  };
  const schema = withLazyRefs(raw[name], document) as Schema;
  definitions.set(address, schema);
  return schema;
}

/** Returns the address to which a schema refers. */
export function schemaReference(schema: Schema): SchemaAddress | undefined {
  return schema[REF];
}

/** Returns the target of a schema that is a reference. */
export function resolveSchema(schema: Schema): Schema {
  return schema[REF] === undefined ? schema : schemaAt(schema[REF]);
}

/** Converts `#/definitions/NAME` of a document, or `kubernetes#/definitions/NAME` of another one, to an address. */
function withLazyRefs(schema: unknown, document: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withLazyRefs(item, document));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries({ ...defaultFormat(schema), ...schema }).map(([key, value]) => {
      if (key !== '$ref' || typeof value !== 'string') return [key, withLazyRefs(value, document)];
      const [other, path = ''] = value.split('#');
      return [REF, `${other || document}#${path.replace('/definitions/', '')}`];
    }),
  );
}

/** API servers read whole numbers into 64 bits by default. */
function defaultFormat(schema: object): { readonly format?: string } {
  return 'type' in schema && [schema.type].flat().includes('integer') ? { format: 'int64' } : {};
}
