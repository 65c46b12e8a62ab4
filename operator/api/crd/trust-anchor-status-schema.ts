import type { TrustAnchorStatus } from '../trust-anchor';
import { COUNT, conditions, described, list, object, TEXT, TIME } from './status-parts';
import type { StructuralSchema } from './structural-schema';

/** The status of a TrustAnchor. Lists are cut at a fixed length; the counts are not. */
export function trustAnchorStatusSchema(): StructuralSchema {
  return object('What was last observed, and what is remembered of it.', STATUS);
}

const STATUS: Readonly<Record<keyof TrustAnchorStatus, StructuralSchema>> = {
  anchors: list('The anchors of the mesh, as people look for them.', {
    generation: described('Absent for one that nobody here made.', { type: 'integer', format: 'int64' }),
    key: described('SHA-256 of its public key and subject, in hex.', TEXT),
    notAfter: TIME,
    role: described('What it is for: Signing, Next, Previous, Member, or Foreign.', TEXT),
    subject: TEXT,
  }),
  anchorsSummary: described('How many anchors there are, and how long the one lives that signs.', TEXT),
  conditions: conditions(),
  laggards: object('Pods that may not know the next anchor; while no rotation is in progress, the present one.', {
    count: described('How many workloads they are of.', COUNT),
    pods: described('How many there are.', COUNT),
    workloads: list('The first of their workloads (namespace/Kind/name), the oldest one first.', {
      pods: COUNT,
      since: TIME,
      workload: TEXT,
    }),
  }),
  memory: {
    description:
      'What a later look needs of earlier ones. Who takes it away loses time: each fact is then observed anew.',
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  },
  nextRotation: described('When the next rotation begins by itself.', TIME),
  observedGeneration: described('The generation of the spec that this status is about.', {
    type: 'integer',
    format: 'int64',
  }),
  phase: described('The last milestone of a rotation that is passed.', TEXT),
  restarts: object('What is restarted because it does not know the next anchor.', {
    inProgress: list('Workloads (namespace/Kind/name) that restart now, and since when.', {
      since: TIME,
      unsettled: described('Its rollout was not complete before either.', { type: 'boolean' }),
      workload: TEXT,
    }),
  }),
  slack: described(
    'The time between the end of the worst plan and the day on which it would be too late. Negative: it is too late.',
    TEXT,
  ),
};
