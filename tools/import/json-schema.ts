/** The part of JSON Schema (draft 7) that the committed schemas use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly pattern?: string;
  readonly [bound: string]: unknown;
}

/** Named schemas that refer to each other as `#/definitions/NAME`: the content of one `*.schema.json`. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

const PREFIX = '#/definitions/';

/** A reference to a definition of the same document. */
export function refTo(name: string): JsonSchema {
  return { $ref: `${PREFIX}${name}` };
}

/** The definition that a reference names. */
export function nameOfRef(ref: string): string {
  return ref.slice(PREFIX.length);
}

/** A word as part of a type's name: `v1beta1` → `V1Beta1`. Letters after digits are upper case in generated types. */
export function pascalCase(word: string): string {
  return word
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/(^|[0-9])([a-z])/g, (_match, before, letter) => before + letter.toUpperCase());
}

/** The schema with each sub-schema replaced by the result of `change`. */
export function mapChildren(
  schema: JsonSchema,
  change: (child: JsonSchema, segment: string) => JsonSchema,
): JsonSchema {
  const changed: Record<string, unknown> = { ...schema };
  if (schema.properties !== undefined) {
    changed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, change(child, name)]),
    );
  }
  if (schema.items !== undefined) changed.items = change(schema.items, 'item');
  if (typeof schema.additionalProperties === 'object') {
    changed.additionalProperties = change(schema.additionalProperties, 'value');
  }
  return changed;
}

/** An object's entries, ordered by key: upstream's order has no meaning, and a new order must not change our files. */
export function sortedByKey<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
