import type { JsonSchema } from './json-schema';

/** One kind at one version, with the closed schema of its objects. */
export interface KindSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: JsonSchema;
}

const STRINGS: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };

/** The metadata that a manifest may have. Only the API server writes the rest of ObjectMeta. */
export const OBJECT_META: JsonSchema = {
  type: 'object',
  properties: {
    annotations: STRINGS,
    finalizers: { type: 'array', items: { type: 'string' } },
    generateName: { type: 'string' },
    labels: STRINGS,
    name: { type: 'string' },
    namespace: { type: 'string' },
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          apiVersion: { type: 'string' },
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: { type: 'string' },
          name: { type: 'string' },
          uid: { type: 'string' },
        },
        required: ['apiVersion', 'kind', 'name', 'uid'],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

/** The schema of whole objects: `schema` covers all fields except apiVersion, kind, metadata and status. */
export function kindSchema(apiVersion: string, kind: string, schema: JsonSchema): KindSchema {
  const { apiVersion: _v, kind: _k, metadata: _m, status: _s, ...own } = schema.properties ?? {};
  const required = (schema.required ?? []).filter((name) => name in own);
  return {
    apiVersion,
    kind,
    schema: {
      ...schema,
      properties: {
        apiVersion: { const: apiVersion },
        kind: { const: kind },
        metadata: { $ref: '#/definitions/ObjectMeta' },
        ...own,
      },
      required: ['apiVersion', 'kind', ...required],
    },
  };
}
