import { pointerSegment } from '#base/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from './objects';
import { SchemaError } from './schema-error';

/** Keywords whose subschemas apply to the same value. They contain one subschema, a list or a map of them. */
const IN_PLACE = [
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
] as const satisfies readonly string[];

const REFERENCES = ['$dynamicRef', '$recursiveRef', '$ref'] as const satisfies readonly string[];

const MAX_LENGTH = 200;

/**
 * Returns how many nested schemas may apply to one value. A validator recurses through them for each level of the data.
 *
 * @throws SchemaError if there are too many, or if a schema applies to itself endlessly
 */
export function nestingOf(root: JsonValue): number {
  return new Nesting(root).longest();
}

class Nesting {
  private readonly known = new Map<JsonObject, number>();
  private readonly named = new Map<string, JsonObject>();
  private readonly schemas: JsonObject[] = [];

  constructor(private readonly root: JsonValue) {
    this.collect(root);
  }

  longest(): number {
    return this.schemas.reduce((longest, schema) => Math.max(longest, this.of(schema, 0)), 0);
  }

  /** Collects every map that may be a schema. Other maps do no harm: their references have no target. */
  private collect(value: JsonValue): void {
    if (Array.isArray(value)) {
      for (const element of value as readonly JsonValue[]) this.collect(element);
    }
    if (!isJsonObject(value)) return;
    this.schemas.push(value);
    for (const key of ['$id', 'id', '$anchor', '$dynamicAnchor']) {
      const { [key]: name } = value;
      if (typeof name === 'string') this.named.set(name.replace(/^#/, ''), value);
    }
    for (const part of Object.values(value)) this.collect(part);
  }

  private of(schema: JsonObject, depth: number): number {
    const known = this.known.get(schema);
    if (known === Number.POSITIVE_INFINITY) throw new SchemaError('it applies to itself without end');
    if (known !== undefined) return known;
    if (depth > MAX_LENGTH) throw new SchemaError('it is nested too deeply');
    this.known.set(schema, Number.POSITIVE_INFINITY);
    const inside = this.inPlace(schema).map((one) => this.of(one, depth + 1));
    const nesting = inside.reduce((longest, one) => Math.max(longest, one + 1), 0);
    this.known.set(schema, nesting);
    return nesting;
  }

  private inPlace(schema: JsonObject): readonly JsonObject[] {
    const parts = IN_PLACE.flatMap((keyword): readonly (JsonValue | undefined)[] => {
      const { [keyword]: value } = schema;
      if (Array.isArray(value)) return value;
      const isMap = keyword === 'dependencies' || keyword === 'dependentSchemas';
      return isMap && isJsonObject(value) ? Object.values(value) : [value];
    });
    const targets = REFERENCES.map((keyword) => this.targetOf(schema[keyword]));
    return [...parts, ...targets].filter((part) => isJsonObject(part));
  }

  private targetOf(reference: JsonValue | undefined): JsonValue | undefined {
    if (typeof reference !== 'string') return undefined;
    const [document = '', fragment = ''] = reference.split('#');
    if (fragment !== '' && !fragment.startsWith('/')) return this.named.get(fragment);
    const start = document === '' ? this.root : this.named.get(document);
    return fragment === '' ? start : valueAt(start, fragment.slice(1).split('/'));
  }
}

function valueAt(start: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = start;
  for (const segment of path) {
    const key = unescaped(segment);
    if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function unescaped(segment: string): string {
  try {
    return pointerSegment(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}
