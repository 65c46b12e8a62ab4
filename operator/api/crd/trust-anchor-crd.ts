import { CONFIG_GROUP } from '../names';
import { TRUST_ANCHOR_NAME } from '../trust-anchor';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition';
import type { StructuralSchema } from './structural-schema';
import { trustAnchorSpecSchema } from './trust-anchor-spec-schema';
import { trustAnchorStatusSchema } from './trust-anchor-status-schema';

const COLUMNS: readonly PrinterColumn[] = [
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  { name: 'Anchors', type: 'string', jsonPath: '.status.anchorsSummary' },
  // The generation that whoever rotates it by hand from then on has to name: empty for one that is not of here.
  { name: 'Signing', type: 'integer', jsonPath: '.status.anchors[?(@.role=="Signing")].generation' },
  // As text: kubectl shows the time since a date, which is none of one that is to come.
  { name: 'Next Rotation', type: 'string', jsonPath: '.status.nextRotation' },
  { name: 'Laggards', type: 'integer', jsonPath: '.status.laggards.pods' },
  { name: 'Slack', type: 'string', jsonPath: '.status.slack' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** The CustomResourceDefinition of TrustAnchor. */
export function trustAnchorCrd(): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `trustanchors.${CONFIG_GROUP}` },
    spec: {
      group: CONFIG_GROUP,
      scope: 'Cluster',
      names: { kind: 'TrustAnchor', listKind: 'TrustAnchorList', plural: 'trustanchors', singular: 'trustanchor' },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: SCHEMA },
          subresources: { status: {} },
          additionalPrinterColumns: COLUMNS,
        },
      ],
    },
  };
}

const SCHEMA: StructuralSchema = {
  description: "Keeps the root of trust of a cluster's mesh, and rotates it without a restart.",
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: trustAnchorSpecSchema(),
    status: trustAnchorStatusSchema(),
  },
  'x-kubernetes-validations': [
    {
      rule: `self.metadata.name == '${TRUST_ANCHOR_NAME}'`,
      message: `the only TrustAnchor of a cluster is called ${TRUST_ANCHOR_NAME}`,
    },
  ],
};
