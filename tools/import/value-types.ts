import type { JsonSchema } from './json-schema';

/** The types with which `values-knowledge.ts` describes chart values. */

export const any: JsonSchema = {};
export const boolean: JsonSchema = { type: 'boolean' };
export const integer: JsonSchema = { type: 'integer' };
export const string: JsonSchema = { type: 'string' };
export const stringOrNumber: JsonSchema = { type: ['string', 'number'] };
export const port: JsonSchema = { type: 'integer', minimum: 1, maximum: 65535 };
export const intOrString: JsonSchema = { type: ['integer', 'string'] };
/** A Kubernetes quantity, or an empty string, which charts skip. */
export const quantity: JsonSchema = { type: ['string', 'number'] };

/** One of the given strings. */
export function oneOf(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}

/** A string that matches `pattern`; messages use `description` to name the format. */
export function text(description: string, pattern: string): JsonSchema {
  return { type: 'string', description, pattern };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** A map with keys of the user's choice. */
export function mapOf(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values };
}

/** A map that the chart copies unchanged. */
export const openMap: JsonSchema = { type: 'object', additionalProperties: true };

/** A map with these keys and no other. */
export function fields(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, additionalProperties: false };
}

/** A type of Kubernetes' API, by its name in `imports/kubernetes.schema.json`, with the chart's additions. */
export function kubernetes(name: string, additions?: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { $ref: `kubernetes#/definitions/${name}`, ...(additions !== undefined && { properties: additions }) };
}

/** Types of chart values that the chart's defaults do not show. */
export interface ValuesKnowledge {
  /** Types by the name of the key, at any place. */
  readonly byName: Readonly<Record<string, JsonSchema>>;
  /** Types by dotted path, which take precedence over types by name. */
  readonly byPath: Readonly<Record<string, JsonSchema>>;
  /** Keys that the defaults leave out, by dotted path. */
  readonly extra: Readonly<Record<string, JsonSchema>>;
}
