import { defined } from '#base/defined';
/** The JSON schemas of `imports/`: closed objects, `null` if a type allows it, shared parts by reference. */
export interface ImportedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ImportedSchema>>;
  readonly additionalProperties?: boolean | ImportedSchema;
  readonly items?: ImportedSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A rule in the Common Expression Language that the API server checks, and its message. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
}

/** The part of OpenAPI that a CustomResourceDefinition may use (structural schemas of apiextensions.k8s.io/v1). */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: 'date-time' | 'int32' | 'int64';
  readonly description?: string;
  readonly nullable?: true;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'map' | 'set' | 'atomic';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/**
 * Returns the schema at a reference (`#/definitions/X`, `kubernetes#/definitions/Y`), and the resolver for references
 * in it.
 */
export type Resolve = (reference: string) => { readonly schema: ImportedSchema; readonly resolve: Resolve };

/**
 * Converts an imported schema to a structural one: references are expanded, properties sorted, `null` becomes
 * `nullable`. Objects are closed anyway (the API server refuses or drops undeclared fields). A number that may be text
 * becomes int-or-string, because structural schemas cannot express number-or-string. Enumerations that allow null
 * become rules: the API server refuses null for an `enum`, even for one that lists it.
 *
 * @throws if the schema mixes types in a way that no structural schema can express
 */
export function structuralSchema(schema: ImportedSchema, resolve: Resolve): StructuralSchema {
  if (schema.$ref !== undefined) {
    const target = resolve(schema.$ref);
    return structuralSchema(target.schema, target.resolve);
  }
  return {
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...typeOf(schema),
    ...constraints(schema),
    ...members(schema, resolve),
  };
}

function typeOf({ type }: ImportedSchema): StructuralSchema {
  const types = type === undefined ? [] : [type].flat();
  const nullable = types.includes('null') ? { nullable: true as const } : {};
  const [kind, ...others] = types.filter((name) => name !== 'null');
  if (kind !== undefined && others.length === 0) return { type: kind as StructuralSchema['type'], ...nullable };
  if (types.includes('string') && (types.includes('integer') || types.includes('number'))) {
    return { 'x-kubernetes-int-or-string': true, ...nullable };
  }
  throw new Error(`No structural schema can express the type ${JSON.stringify(type)}`);
}

function constraints({ pattern, minimum, maximum, required, ...schema }: ImportedSchema): StructuralSchema {
  return { ...defined({ pattern, minimum, maximum, required }), ...choice(schema) };
}

function choice({ enum: choices }: ImportedSchema): StructuralSchema {
  if (choices === undefined) return {};
  const words = choices.filter((word) => word !== null);
  if (words.length === choices.length) return { enum: words };
  const list = words.map((word) => JSON.stringify(word)).join(', ');
  return { 'x-kubernetes-validations': [{ rule: `self in [${list}]`, message: `must be one of ${list}` }] };
}

function members({ properties, additionalProperties, items }: ImportedSchema, resolve: Resolve): StructuralSchema {
  if (additionalProperties === true) return { 'x-kubernetes-preserve-unknown-fields': true };
  if (items !== undefined) return { items: structuralSchema(items, resolve) };
  if (typeof additionalProperties === 'object') {
    return { additionalProperties: structuralSchema(additionalProperties, resolve) };
  }
  if (properties === undefined) return {};
  const sorted = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  return { properties: Object.fromEntries(sorted.map(([key, value]) => [key, structuralSchema(value, resolve)])) };
}
