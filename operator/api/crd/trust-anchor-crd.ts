import type { TrustAnchorStatus } from '#anchor/trust-anchor';
import { TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import { CONFIG_GROUP } from '../names';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition';
import { COUNT, conditions, described, list, object, TEXT, TIME } from './status-parts';
import type { StructuralSchema } from './structural-schema';
import { trustAnchorSpecSchema } from './trust-anchor-spec-schema';

/** Lists are cut at a fixed length; the counts are not. */
const STATUS: Readonly<Record<keyof TrustAnchorStatus, StructuralSchema>> = {
  anchors: list('The anchors of the mesh.', {
    generation: described('Absent for an external anchor.', { type: 'integer', format: 'int64' }),
    key: described('SHA-256 of its public key and subject, in hex.', TEXT),
    notAfter: TIME,
    role: described('Its role: Signing, Next, Previous, Member, or Foreign.', TEXT),
    subject: TEXT,
  }),
  anchorsSummary: described('Number of anchors, and lifetime of the one that signs.', TEXT),
  bridge: object('The request for a bridge that the key of the old anchor has to sign; absent if none is awaited.', {
    generation: described('The generation of the next anchor.', { type: 'integer', format: 'int64' }),
    notAfter: described('The expiry of the old anchor, which the signed certificate must not exceed.', TIME),
    pathLength: described('The minimum path length of the signed certificate.', COUNT),
    request: described('Certificate signing request, PEM.', TEXT),
    signer: described('Subject of the anchor that has to sign.', TEXT),
    subject: described('Subject of the request, which the signed certificate must keep.', TEXT),
    until: described('Deadline for the signature: after it, only restarts finish in time.', TIME),
  }),
  compromised: object('Pods that trust leaked keys of anchors; absent if no key leaked.', {
    inBundle: described('Whether new pods also trust one of the keys.', { type: 'boolean' }),
    keys: described('The leaked keys.', { type: 'array', items: TEXT }),
    pods: described('Number of pods that trust, or may trust, one of the keys.', COUNT),
    since: described('When the last of the keys was reported as leaked.', TIME),
    until: described('The end of the worst-case plan: by then, no pod trusts the keys.', TIME),
    workloads: list('The first of the workloads of these pods (namespace/Kind/name), oldest first.', {
      pods: COUNT,
      since: TIME,
      workload: TEXT,
    }),
  }),
  conditions: conditions(),
  laggards: object('Pods that may not trust the next anchor or, while no rotation is in progress, the current one.', {
    count: described('Number of their workloads.', COUNT),
    pods: described('Number of pods.', COUNT),
    workloads: list('The first of their workloads (namespace/Kind/name), oldest first.', {
      pods: COUNT,
      since: TIME,
      workload: TEXT,
    }),
  }),
  memory: {
    description: 'Facts from earlier observations. Removing them costs time: each fact is then observed again.',
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  },
  nextRotation: described('When the next rotation starts automatically.', TIME),
  observedGeneration: described('The generation of the spec that this status describes.', {
    type: 'integer',
    format: 'int64',
  }),
  phase: described('The last milestone that a rotation has reached.', TEXT),
  restarts: object('Restarts of workloads that do not trust the next anchor.', {
    inProgress: list('Workloads (namespace/Kind/name) that are restarting, and since when.', {
      since: TIME,
      unsettled: described('Its rollout was already incomplete before.', { type: 'boolean' }),
      workload: TEXT,
    }),
  }),
  slack: described('Time that remains after the end of the worst-case plan. Negative: the plan ends too late.', TEXT),
};

const COLUMNS: readonly PrinterColumn[] = [
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  { name: 'Anchors', type: 'string', jsonPath: '.status.anchorsSummary' },
  // An administrator who takes over the rotation needs this generation. Empty for an external anchor.
  { name: 'Signing', type: 'integer', jsonPath: '.status.anchors[?(@.role=="Signing")].generation' },
  // As text: for a date, kubectl shows the time since then, but this time is in the future.
  { name: 'Next Rotation', type: 'string', jsonPath: '.status.nextRotation' },
  { name: 'Laggards', type: 'integer', jsonPath: '.status.laggards.pods' },
  { name: 'Slack', type: 'string', jsonPath: '.status.slack' },
  // Empty if no key leaked.
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
    status: object('The last observation, and facts from earlier ones.', STATUS),
  },
  'x-kubernetes-validations': [
    {
      rule: `self.metadata.name == '${TRUST_ANCHOR_NAME}'`,
      message: `the only TrustAnchor of a cluster is called ${TRUST_ANCHOR_NAME}`,
    },
  ],
};
