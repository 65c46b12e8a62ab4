import type { JsonSchema } from './json-schema';
import { refuseUnclear, refuseUnused } from './knowledge-coverage';
import type { ValuesKnowledge } from './value-types';

interface ShippedSchema extends JsonSchema {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

const REF = '#/$defs/';

/**
 * The schema of a chart's values, from the `values.schema.json` in the chart. That file lists every key, but declares
 * values that the chart only copies as maps or lists. `knowledge` has the types of these.
 */
export function shippedSchema(shipped: ShippedSchema, knowledge: ValuesKnowledge): JsonSchema {
  const unclear: string[] = [];
  const used = new Set<string>();
  const read = (schema: JsonSchema, path: string, name: string): JsonSchema => {
    if (schema.$ref !== undefined) return read(shipped.$defs[schema.$ref.slice(REF.length)] ?? {}, path, name);
    if (schema.properties !== undefined) {
      const properties = Object.entries(schema.properties).map(
        ([key, child]) => [key, read(child, path === '' ? key : `${path}.${key}`, key)] as const,
      );
      return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
    }
    const { type } = schema;
    if (type !== undefined && type !== 'object' && type !== 'array') return { type };
    const known = knowledge.byPath[path] ?? knowledge.byName[name];
    if (known === undefined) unclear.push(path);
    used.add(path);
    return known ?? {};
  };
  const schema = read({ $ref: shipped.$ref }, '', '');
  refuseUnclear(unclear);
  refuseUnused(knowledge, used);
  return schema;
}
