import { CONFIG_DEFAULTS, MAX_UNAVAILABLE_WORKLOADS } from '../linkerd-config';
import type { StructuralSchema, ValidationRule } from './structural-schema';
import { type ChartValues, valuesSchema } from './values-schema';

/** Leaves room for `-baseline` within the 253 characters of an object's name. */
const MAX_CONFIG_MAP_NAME = 244;

/**
 * Returns the schema of a LinkerdConfig's spec. Everything has a default, so that `spec: {}` adopts an existing
 * installation.
 */
export function specSchema(values: ChartValues): StructuralSchema {
  return {
    type: 'object',
    default: {},
    properties: {
      configMapName: {
        description: "Name of the control plane's ConfigMap with its values.",
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
          'What happens to the configuration when this object is deleted. Retain: it stays. Restore: the operator restores what was found at adoption, or installed since.',
        type: 'string',
        enum: ['Retain', 'Restore'],
        default: CONFIG_DEFAULTS.deletionPolicy,
      },
      maxUnavailableWorkloads: {
        description: 'Maximum number of workloads that restart at a time after a change.',
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: MAX_UNAVAILABLE_WORKLOADS,
        default: CONFIG_DEFAULTS.maxUnavailableWorkloads,
      },
      progressDeadlineSeconds: {
        description:
          'Seconds after which a restart stops the others, if its new pods do not come up, or gives its slot to the next workload.',
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
