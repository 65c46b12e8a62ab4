import { CONFIG_GROUP } from '../names';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition';
import { specSchema } from './spec-schema';
import { statusSchema } from './status-schema';
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
