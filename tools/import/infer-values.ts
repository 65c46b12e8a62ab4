import { isObject } from '#base/is-object';
import type { JsonSchema } from './json-schema';
import { refuseUnclear, refuseUnused } from './knowledge-coverage';
import type { ValuesKnowledge } from './value-types';

/**
 * The schema of a chart's values, derived from the defaults and, where these show too little, from `knowledge`. It
 * refuses a key that neither of the two contains.
 */
export function inferValues(defaults: Readonly<Record<string, unknown>>, knowledge: ValuesKnowledge): JsonSchema {
  const unclear: string[] = [];
  const used = new Set<string>();
  const infer = (value: unknown, path: string, name: string): JsonSchema => {
    const known = knowledge.byPath[path] ?? knowledge.byName[name];
    if (known !== undefined) {
      used.add(path);
      return known;
    }
    if (isObject(value) && Object.keys(value).length > 0) {
      const properties = Object.entries(value).map(
        ([key, child]) => [key, infer(child, path === '' ? key : `${path}.${key}`, key)] as const,
      );
      return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
    }
    const type = typeOf(value);
    if (type === undefined) unclear.push(path);
    return type ?? {};
  };
  const schema = infer(defaults, '', '');
  refuseUnclear(unclear);
  refuseUnused(knowledge, used);
  return Object.entries(knowledge.extra).reduce((into, [path, type]) => withExtra(into, path.split('.'), type), schema);
}

function withExtra(schema: JsonSchema, path: readonly string[], type: JsonSchema): JsonSchema {
  const [key, ...rest] = path;
  if (key === undefined) return type;
  const before = schema.properties?.[key];
  if (before !== undefined && rest.length === 0)
    throw new Error(`${key} is listed as extra, but the defaults contain it`);
  const child = withExtra(before ?? { type: 'object', additionalProperties: false }, rest, type);
  return { ...schema, properties: { ...schema.properties, [key]: child } };
}

/** The type of a default; undefined if it shows no type (null, empty maps and lists) or too little (lists of maps). */
function typeOf(value: unknown): JsonSchema | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return { type: typeof value };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (!Array.isArray(value)) return undefined;
  const items = value.map(typeOf);
  const [first] = items;
  return first !== undefined && items.every((item) => item?.type === first.type) && first.type !== 'array'
    ? { type: 'array', items: first }
    : undefined;
}
