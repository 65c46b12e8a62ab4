import { TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import { CONFIG_GROUP } from '../names';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition';
import type { StructuralSchema } from './structural-schema';
import { trustAnchorSpecSchema } from './trust-anchor-spec-schema';
import { trustAnchorStatusSchema } from './trust-anchor-status-schema';

const COLUMNS: readonly PrinterColumn[] = [
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  { name: 'Anchors', type: 'string', jsonPath: '.status.anchorsSummary' },
  // The generation to name when rotating it by hand from then on: empty for a foreign one.
  { name: 'Signing', type: 'integer', jsonPath: '.status.anchors[?(@.role=="Signing")].generation' },
  // As text: for a date, kubectl shows the time since then, and this one is in the future.
  { name: 'Next Rotation', type: 'string', jsonPath: '.status.nextRotation' },
  { name: 'Laggards', type: 'integer', jsonPath: '.status.laggards.pods' },
  { name: 'Slack', type: 'string', jsonPath: '.status.slack' },
  // Empty unless a key leaked.
  { name: 'Exposed', type: 'integer', jsonPath: '.status.compromised.pods' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** Returns the CustomResourceDefinition of TrustAnchor. */
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
  description: "The root of trust of a cluster's mesh, which the operator rotates without a restart.",
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
