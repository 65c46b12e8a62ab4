import type { CustomResourceDefinition } from '#operator/api/crd/custom-resource-definition';
import type { StructuralSchema } from '#operator/api/crd/structural-schema';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema for editors of the objects that a CustomResourceDefinition defines. */
export function customResourceSchema({ spec: { group, names, versions } }: CustomResourceDefinition): JsonSchema {
  const [version] = versions;
  if (version === undefined) throw new Error(`${names.kind} has no versions`);
  const {
    properties,
    required = [],
    ...schema
  } = jsonSchema(version.schema.openAPIV3Schema) as {
    readonly properties: JsonSchema;
    readonly required?: readonly string[];
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `${names.kind} of ${group}/${version.name}`,
    ...schema,
    properties: {
      ...properties,
      apiVersion: { const: `${group}/${version.name}` },
      kind: { const: names.kind },
      // The API server validates the other fields of metadata.
      metadata: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
    required: [...new Set(['apiVersion', 'kind', 'metadata', ...required])],
  };
}

/** Converts a structural schema. It closes objects that are not maps: the API server silently drops unknown fields. */
function jsonSchema(schema: StructuralSchema): JsonSchema {
  const { type, properties, items, additionalProperties, nullable, enum: words, ...others } = schema;
  const rules = Object.entries(others).filter(([key]) => !key.startsWith('x-kubernetes-') && key !== 'format');
  return {
    ...Object.fromEntries(rules),
    ...typeOf(schema),
    ...(words === undefined ? {} : { enum: nullable === true ? [...words, null] : words }),
    ...(items === undefined ? {} : { items: jsonSchema(items) }),
    ...members(schema),
  };
}

function typeOf({ type, nullable, ...others }: StructuralSchema): JsonSchema {
  const types = others['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : [type ?? []].flat();
  if (types.length === 0) return {};
  const all = nullable === true ? [...types, 'null'] : types;
  return { type: all.length === 1 ? all[0] : all };
}

function members({ properties, additionalProperties, ...others }: StructuralSchema): JsonSchema {
  if (additionalProperties !== undefined) return { additionalProperties: jsonSchema(additionalProperties) };
  if (properties === undefined) return {};
  const isOpen = others['x-kubernetes-preserve-unknown-fields'] === true;
  return { properties: mapValues(properties, jsonSchema), ...(isOpen ? {} : { additionalProperties: false }) };
}

function mapValues<T, U>(map: Readonly<Record<string, T>>, convert: (value: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(value)]));
}
