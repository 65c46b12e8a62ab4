import type { StructuralSchema } from './structural-schema';

/** A string in a status. */
export const TEXT: StructuralSchema = { type: 'string' };

/** A time of a status. */
export const TIME: StructuralSchema = { type: 'string', format: 'date-time' };

/** A number of things. */
export const COUNT: StructuralSchema = { type: 'integer', format: 'int32' };

/** metav1.Condition, with the limits that Kubernetes gives it. */
export function conditions(): StructuralSchema {
  return {
    type: 'array',
    items: {
      type: 'object',
      required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
      properties: {
        lastTransitionTime: TIME,
        message: { type: 'string', maxLength: 32_768 },
        observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
        reason: { type: 'string', minLength: 1, maxLength: 1_024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
        status: { type: 'string', enum: ['False', 'True', 'Unknown'] },
        type: { type: 'string', maxLength: 316 },
      },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  };
}

/** The schema of an object of a status. */
export function object(description: string, properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema {
  return { description, type: 'object', properties };
}

/** The schema of a list of objects of a status. */
export function list(description: string, properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema {
  return { description, type: 'array', items: { type: 'object', properties } };
}

/** The schema with a description. */
export function described(description: string, schema: StructuralSchema): StructuralSchema {
  return { description, ...schema };
}
