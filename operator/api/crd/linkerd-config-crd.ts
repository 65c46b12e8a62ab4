import { CONFIG_DEFAULTS, MAX_UNAVAILABLE_WORKLOADS } from '../linkerd-config';
import { CONFIG_GROUP } from '../names';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition';
import { COUNT, conditions, described, list, object, TEXT, TIME } from './status-parts';
import type { StructuralSchema, ValidationRule } from './structural-schema';
import { type ChartValues, valuesSchema } from './values-schema';

const COLUMNS: readonly PrinterColumn[] = [
  { name: 'Control Plane Namespace', type: 'string', jsonPath: '.spec.controlPlaneNamespace' },
  { name: 'ConfigMap', type: 'string', jsonPath: '.spec.configMapName' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/**
 * Returns the CustomResourceDefinition of LinkerdConfig for a control plane with these values: always the same data for
 * the same values.
 */
export function linkerdConfigCrd(values: ChartValues): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `linkerdconfigs.${CONFIG_GROUP}` },
    spec: {
      group: CONFIG_GROUP,
      scope: 'Cluster',
      names: {
        kind: 'LinkerdConfig',
        listKind: 'LinkerdConfigList',
        plural: 'linkerdconfigs',
        singular: 'linkerdconfig',
      },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema(values) },
          subresources: { status: {} },
          additionalPrinterColumns: COLUMNS,
        },
      ],
    },
  };
}

function schema(values: ChartValues): StructuralSchema {
  return {
    description: 'The configuration of a Linkerd control plane and its proxies.',
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: specSchema(values),
      status: statusSchema(),
    },
  };
}

const TEXTS: StructuralSchema = { type: 'array', items: TEXT };

/** Returns the schema of a LinkerdConfig's status. Lists are cut at a fixed length; the counts are not. */
function statusSchema(): StructuralSchema {
  return object('The last observation.', {
    conditions: conditions(),
    configHash: described(
      'Short hash of the configuration of proxies. The annotation of restarted workloads begins with this hash.',
      TEXT,
    ),
    inProgress: list('Workloads (namespace/kind/name) that are restarting, and since when.', {
      workload: TEXT,
      since: TIME,
      unsettled: described('Its rollout was already incomplete before.', { type: 'boolean' }),
    }),
    injector: object('The configuration that the proxy injector uses, and since when.', {
      configHash: TEXT,
      since: TIME,
    }),
    injectorRestart: object('The configuration for which the proxy injector is restarting, and since when.', {
      configHash: TEXT,
      since: TIME,
    }),
    observedGeneration: described('The generation of the spec that this status describes.', {
      type: 'integer',
      format: 'int64',
    }),
    passedBy: object('Late restarts without evidence against the configuration. Other workloads continue.', {
      count: COUNT,
      restarts: list('The first of these restarts.', { workload: TEXT, why: TEXT }),
    }),
    proxyVersion: described('The proxy version of new pods.', TEXT),
    trustAnchors: list('The roots of the configuration.', { notAfter: TIME, sha256: TEXT, subject: TEXT }),
    unmanagedPods: object('Pods that get the configuration only when you restart them.', {
      count: COUNT,
      pods: TEXTS,
    }),
    workloads: list(
      'Workloads with proxies that follow the configuration, and workloads that request it but have no proxies.',
      {
        injected: TEXTS,
        injectedCount: COUNT,
        namespace: TEXT,
        uninjected: TEXTS,
        uninjectedCount: COUNT,
      },
    ),
    valuesHash: described('Short hash of all current values, including those that proxies do not use.', TEXT),
  });
}

/** Leaves room for `-baseline` within the 253 characters of an object's name. */
const MAX_CONFIG_MAP_NAME = 244;

/**
 * Returns the schema of a LinkerdConfig's spec. Everything has a default, so that `spec: {}` adopts an existing
 * installation.
 */
function specSchema(values: ChartValues): StructuralSchema {
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
          'What happens to the configuration when this object is deleted. Retain: it stays. Restore: the operator restores the values that it found at adoption, or that were installed since.',
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
          'Seconds after which a restart counts as stuck. If its new proxies do not start, all restarts stop. Otherwise, the next workload restarts.',
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
    message: `${field} cannot be changed: create another LinkerdConfig for another control plane`,
  };
}
