import { type Definitions, type JsonSchema, nameOfRef } from './json-schema';

const KUBERNETES_REF = 'kubernetes#/definitions/';

/**
 * The schema with null allowed at every key of a map, because there null makes Helm drop the chart's default. In lists
 * null has no such meaning, because Helm replaces whole lists. Kubernetes' types are spelled out down to the first
 * list, because Helm also merges their maps.
 */
export function helmNullable(schema: JsonSchema, kubernetes: Definitions): JsonSchema {
  const inlined = schema.$ref === undefined ? schema : inline(schema.$ref, schema.properties, kubernetes);
  if (inlined.properties === undefined && typeof inlined.additionalProperties !== 'object') return inlined;
  const properties = Object.entries(inlined.properties ?? {}).map(
    ([key, child]) => [key, orNull(helmNullable(child, kubernetes))] as const,
  );
  const { required: _allHaveDefaults, ...rest } = inlined;
  return {
    ...rest,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(typeof inlined.additionalProperties === 'object' && {
      additionalProperties: orNull(helmNullable(inlined.additionalProperties, kubernetes)),
    }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return schema;
  return {
    ...schema,
    type: [...new Set([schema.type, 'null'].flat())],
    ...(schema.enum !== undefined && { enum: [...schema.enum, null] }),
  };
}

/** Copies the schema of a Kubernetes type into this document; references in it point to the document of Kubernetes. */
function inline(ref: string, additions: JsonSchema['properties'], kubernetes: Definitions): JsonSchema {
  const schema = kubernetes[ref.slice(KUBERNETES_REF.length)];
  if (schema === undefined) throw new Error(`Kubernetes' schemas have no ${ref.slice(KUBERNETES_REF.length)}`);
  return foreign({ ...schema, properties: { ...schema.properties, ...additions } });
}

function foreign(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return { $ref: `${KUBERNETES_REF}${nameOfRef(schema.$ref)}` };
  const properties = Object.entries(schema.properties ?? {}).map(([key, child]) => [key, foreign(child)] as const);
  return {
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(schema.items !== undefined && { items: foreign(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: foreign(schema.additionalProperties),
    }),
  };
}
