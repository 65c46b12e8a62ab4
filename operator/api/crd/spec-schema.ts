import { CONFIG_DEFAULTS, MOST_UNAVAILABLE_WORKLOADS } from '../linkerd-config';
import type { StructuralSchema, ValidationRule } from './structural-schema';
import { type ChartValues, valuesSchema } from './values-schema';

/** Leaves room for `-baseline` within the 253 characters of an object's name. */
const MAX_CONFIG_MAP_NAME = 244;

/** The spec of a LinkerdConfig. Everything has a default, so that `spec: {}` adopts an installation as it is. */
export function specSchema(values: ChartValues): StructuralSchema {
  return {
    type: 'object',
    default: {},
    properties: {
      configMapName: {
        description: "Name of the control plane's ConfigMap that holds its values.",
        type: 'string',
        default: CONFIG_DEFAULTS.configMapName,
        minLength: 1,
        maxLength: MAX_CONFIG_MAP_NAME,
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
        'x-kubernetes-validations': [immutable('configMapName')],
      },
      controlPlaneNamespace: {
        description: 'Namespace of the control plane.',
        type: 'string',
        default: CONFIG_DEFAULTS.controlPlaneNamespace,
        minLength: 1,
        maxLength: 63,
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
        'x-kubernetes-validations': [immutable('controlPlaneNamespace')],
      },
      deletionPolicy: {
        description:
          'What happens to the configuration when this object is deleted: it stays (Retain), or what was found at adoption, or installed since, comes back (Restore).',
        type: 'string',
        enum: ['Retain', 'Restore'],
        default: CONFIG_DEFAULTS.deletionPolicy,
      },
      maxUnavailableWorkloads: {
        description: 'How many workloads restart at a time after a change.',
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: MOST_UNAVAILABLE_WORKLOADS,
        default: CONFIG_DEFAULTS.maxUnavailableWorkloads,
      },
      progressDeadlineSeconds: {
        description:
          'After how long a restart stops the others, if its new pods do not come up, or else gives its place to the next.',
        type: 'integer',
        format: 'int32',
        minimum: 1,
        default: CONFIG_DEFAULTS.progressDeadlineSeconds,
      },
      values: valuesSchema(values),
    },
  };
}

function immutable(field: string): ValidationRule {
  return {
    rule: 'self == oldSelf',
    message: `${field} cannot be changed: make another LinkerdConfig for another control plane`,
  };
}
