import { CONFIG_GROUP } from '../names';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition';
import { specSchema } from './spec-schema';
import { COUNT, conditions, described, list, object, TEXT, TIME } from './status-parts';
import type { StructuralSchema } from './structural-schema';
import type { ChartValues } from './values-schema';

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
      'Short hash of the configuration of proxies. The annotation of workloads that restart for it begins with it.',
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
      restarts: list('The first of them.', { workload: TEXT, why: TEXT }),
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
