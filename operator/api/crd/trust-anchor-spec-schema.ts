import { MOST_UNAVAILABLE_WORKLOADS } from '../linkerd-config';
import {
  type LaggardPolicy,
  LONGEST_COMMON_NAME,
  MOST_MEMBERS,
  TRUST_ANCHOR_DEFAULTS,
  type TrustAnchorSpec,
  WEEKDAYS,
} from '../trust-anchor';
import type { StructuralSchema, ValidationRule } from './structural-schema';

const { privateKey, laggards, ...DEFAULTS } = TRUST_ANCHOR_DEFAULTS;

/** A duration of Go (`time.ParseDuration`) without a sign; what is too long for Go is refused by its rules. */
const GO_DURATION: StructuralSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 32,
  pattern: '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$',
};

const POSITIVE: ValidationRule = { rule: "duration(self) > duration('0s')", message: 'must be longer than nothing' };

const DNS_LABEL: StructuralSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
};

/** Longer windows than a week are none: the next one has begun before they end. */
const LONGEST_WINDOW = '168h';

const MOST_WINDOWS = 32;

/** The spec of a TrustAnchor. Everything has a default, so that `spec: {}` adopts the anchor that is there. */
export function trustAnchorSpecSchema(): StructuralSchema {
  return {
    type: 'object',
    // In full: rules are asked about a default as it stands here.
    default: TRUST_ANCHOR_DEFAULTS,
    properties: SPEC,
    'x-kubernetes-validations': SPEC_RULES,
  };
}

/** The rules between fields. */
const SPEC_RULES: readonly ValidationRule[] = [
  {
    rule: 'duration(self.renewBefore) < duration(self.duration)',
    message: 'renewBefore must be shorter than duration: an anchor would be due before it exists',
  },
  {
    rule: 'duration(self.renewBefore) >= duration(self.issuanceLifetime) + duration(self.clockSkewAllowance) + duration(self.propagationDelay) + duration(self.propagationDelay)',
    message:
      'renewBefore must be at least issuanceLifetime, clockSkewAllowance and twice propagationDelay: no rotation is done in less',
  },
  {
    rule: '!has(self.members) || self.members.size() == 0 || has(self.cluster)',
    message: 'members need cluster: the name by which they know this one',
  },
  {
    rule: '!has(self.members) || !has(self.cluster) || !(self.cluster in self.members)',
    message: 'members are the other clusters: cluster must not be one of them',
  },
];

const SPEC: Readonly<Record<keyof TrustAnchorSpec, StructuralSchema>> = {
  abort: flag('Takes the rotation that goes on back, and begins none.'),
  acceptUnseenProxies: flag(
    'Retires anchors although proxies outside of the cluster (ExternalWorkloads, clusters of Links that are no members) may know no other.',
  ),
  certManagerNamespace: namespace(
    'certManagerNamespace',
    "Namespace of cert-manager, which holds the anchors' Secrets.",
  ),
  clockSkewAllowance: duration(
    'clockSkewAllowance',
    "By how much proxies' clocks may differ, as the control plane has it.",
  ),
  cluster: { description: 'Name of this cluster among those that share its anchor.', ...DNS_LABEL },
  commonName: {
    description: 'Common name of anchors; the number of the generation is put before it.',
    type: 'string',
    default: DEFAULTS.commonName,
    minLength: 1,
    maxLength: LONGEST_COMMON_NAME,
    pattern: '^[!-~]([ -~]*[!-~])?$',
  },
  controlPlaneNamespace: namespace('controlPlaneNamespace', 'Namespace of the control plane.'),
  duration: duration('duration', 'How long anchors live.'),
  issuanceLifetime: duration('issuanceLifetime', "Lifetime of proxies' certificates, as the control plane has it."),
  laggards: {
    description: 'What becomes of pods that know only the old anchor, and keep it from being retired.',
    type: 'object',
    default: laggards,
    properties: {
      maxUnavailableWorkloads: {
        description: 'How many workloads restart at a time.',
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: MOST_UNAVAILABLE_WORKLOADS,
        default: laggards.maxUnavailableWorkloads,
      },
      policy: {
        description:
          'They are listed, and restarted when the time that is left is what the worst plan takes (Report), restarted as soon as new pods know the new anchor (Restart), or only listed (Never).',
        type: 'string',
        enum: ['Report', 'Restart', 'Never'] satisfies readonly LaggardPolicy[],
        default: laggards.policy,
      },
      progressDeadlineSeconds: {
        description: 'After how long a restart gives its place to the next.',
        type: 'integer',
        format: 'int32',
        minimum: 1,
        // A day: the worst plan counts with it for each workload.
        maximum: 86_400,
        default: laggards.progressDeadlineSeconds,
      },
    },
  },
  members: {
    description:
      'Names of the other clusters that share the anchor: none is retired before all of them have adopted the next.',
    type: 'array',
    maxItems: MOST_MEMBERS,
    items: DNS_LABEL,
    'x-kubernetes-list-type': 'set',
  },
  paused: flag('Does nothing until it is false again.'),
  privateKey: {
    description: "Anchors' keys. Linkerd takes ECDSA P-256, RSA 2048 and RSA 4096.",
    type: 'object',
    default: privateKey,
    properties: {
      algorithm: { type: 'string', enum: ['ECDSA', 'RSA'], default: privateKey.algorithm },
      size: { type: 'integer', format: 'int32', default: privateKey.size },
    },
    'x-kubernetes-validations': [
      {
        rule: "self.algorithm == 'ECDSA' ? self.size == 256 : self.size in [2048, 4096]",
        message: 'Linkerd takes ECDSA keys of size 256, and RSA keys of size 2048 or 4096',
      },
    ],
  },
  propagationDelay: duration(
    'propagationDelay',
    'The longest that a changed ConfigMap or Secret takes to reach who mounts it.',
  ),
  renewBefore: duration('renewBefore', "The time before an anchor's end at which its rotation begins."),
  rotateNow: {
    description: 'Another text than before starts a rotation.',
    type: 'string',
    minLength: 1,
    maxLength: 253,
  },
  windows: {
    description: 'Rotations begin, and laggards are restarted, only in these, unless time is short. None: at any time.',
    type: 'array',
    maxItems: MOST_WINDOWS,
    items: {
      type: 'object',
      required: ['duration', 'start'],
      properties: {
        days: {
          description: 'Days on which it begins; none for each.',
          type: 'array',
          maxItems: WEEKDAYS.length,
          items: { type: 'string', enum: WEEKDAYS },
          'x-kubernetes-list-type': 'set',
        },
        duration: {
          description: 'Go duration, at most a week: `4h`.',
          ...GO_DURATION,
          'x-kubernetes-validations': [
            POSITIVE,
            { rule: `duration(self) <= duration('${LONGEST_WINDOW}')`, message: `must be at most ${LONGEST_WINDOW}` },
          ],
        },
        start: {
          description: 'When it begins, in UTC: `02:00`.',
          type: 'string',
          maxLength: 5,
          pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        },
      },
    },
    'x-kubernetes-list-type': 'atomic',
  },
};

function namespace(field: 'certManagerNamespace' | 'controlPlaneNamespace', description: string): StructuralSchema {
  return {
    description,
    ...DNS_LABEL,
    default: DEFAULTS[field],
    'x-kubernetes-validations': [
      {
        rule: 'self == oldSelf',
        message: `${field} cannot be changed: delete the TrustAnchor, which leaves everything as it is, and make another`,
      },
    ],
  };
}

type DurationField = 'clockSkewAllowance' | 'duration' | 'issuanceLifetime' | 'propagationDelay' | 'renewBefore';

/** Clocks may all be right; nothing else takes no time. */
function duration(field: DurationField, description: string): StructuralSchema {
  return {
    description,
    ...GO_DURATION,
    default: DEFAULTS[field],
    ...(field !== 'clockSkewAllowance' && { 'x-kubernetes-validations': [POSITIVE] }),
  };
}

function flag(description: string): StructuralSchema {
  return { description, type: 'boolean', default: false };
}
