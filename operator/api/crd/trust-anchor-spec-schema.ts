import {
  ANCHOR_KEY_PATTERN,
  type AnchorBridgeSigner,
  BRIDGE_CONFIG_MAP,
  BRIDGE_DEFAULTS,
  BRIDGE_KEY,
  type LaggardPolicy,
  MAX_BRIDGE_LENGTH,
  MAX_COMMON_NAME_LENGTH,
  MAX_COMPROMISED,
  MAX_IGNORED_NAMESPACES,
  MAX_MEMBERS,
  type ProbePolicy,
  TRUST_ANCHOR_DEFAULTS,
  type TrustAnchorSpec,
  type UnsignedBridgePolicy,
  WEEKDAYS,
} from '#anchor/trust-anchor';
import { MAX_UNAVAILABLE_WORKLOADS } from '../linkerd-config';
import type { StructuralSchema, ValidationRule } from './structural-schema';

const { privateKey, laggards, ...DEFAULTS } = TRUST_ANCHOR_DEFAULTS;

/** A Go duration (`time.ParseDuration`) without a sign; rules refuse one that is too long for Go. */
const GO_DURATION: StructuralSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 32,
  pattern: '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$',
};

const POSITIVE: ValidationRule = { rule: "duration(self) > duration('0s')", message: 'must be longer than 0' };

const DNS_LABEL: StructuralSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
};

const TRUST_DOMAIN: StructuralSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
};

/** Windows longer than a week overlap the next one. */
const MAX_WINDOW_LENGTH = '168h';

const MAX_WINDOWS = 32;

/**
 * Returns the schema of a TrustAnchor's spec. Everything has a default, so that `spec: {}` adopts the existing anchor.
 */
export function trustAnchorSpecSchema(): StructuralSchema {
  return {
    type: 'object',
    // Lists all fields, because the rules are checked against this default.
    default: TRUST_ANCHOR_DEFAULTS,
    properties: SPEC,
    'x-kubernetes-validations': SPEC_RULES,
  };
}

const SPEC_RULES: readonly ValidationRule[] = [
  {
    rule: 'duration(self.renewBefore) < duration(self.duration)',
    message: 'renewBefore must be shorter than duration: its rotation would be due before the anchor exists',
  },
  {
    rule: 'duration(self.renewBefore) >= duration(self.issuanceLifetime) + duration(self.clockSkewAllowance) + duration(self.propagationDelay) + duration(self.propagationDelay)',
    message:
      'renewBefore must be at least issuanceLifetime + clockSkewAllowance + twice propagationDelay: no rotation takes less',
  },
  {
    rule: '!has(self.laggards.ignoredNamespaces) || !(self.controlPlaneNamespace in self.laggards.ignoredNamespaces)',
    message:
      'laggards.ignoredNamespaces must not name the namespace of the control plane, which a rotation always waits for',
  },
  {
    rule: '!has(self.members) || self.members.size() == 0 || has(self.cluster)',
    message: 'members require cluster: the name by which they list this cluster',
  },
  {
    rule: '!has(self.members) || !has(self.cluster) || !(self.cluster in self.members)',
    message: 'members are the other clusters: cluster must not be one of them',
  },
  {
    rule: '!has(self.certifies) || (has(self.members) && self.certifies.all(one, one.cluster in self.members))',
    message: 'certifies must name members: an anchor is retired only after the next one certifies them',
  },
  {
    rule: '!has(self.bridge) || !has(self.bridge.member) || (has(self.members) && self.bridge.member in self.members)',
    message: 'bridge.member must be one of the members: their proxies and those of this cluster must accept each other',
  },
  {
    rule: '!has(self.bridge) || !has(self.bridge.member) || !has(self.certifies) || self.certifies.size() == 0',
    message:
      'a cluster with bridge.member must not certify others: all anchors chain to the anchor of one cluster, the hub',
  },
];

const BRIDGE_RULES: readonly ValidationRule[] = [
  {
    rule: "self.signedBy == 'Member' ? has(self.member) : !has(self.member) && !has(self.trustDomain)",
    message: 'member is required with signedBy: Member, and allowed only then',
  },
  {
    rule: "!has(self.certificate) || self.signedBy == 'Request'",
    message: 'certificate answers a request: it is allowed only with signedBy: Request',
  },
  {
    rule: "!has(self.certificate) || !self.certificate.contains('PRIVATE KEY-----')",
    message: 'certificate must not hold a private key: anyone who reads it can impersonate every workload',
  },
];

const SPEC: Readonly<Record<keyof TrustAnchorSpec, StructuralSchema>> = {
  abort: flag('Roll back the current rotation, as long as that is possible, and start no other.'),
  acceptUnseenProxies: flag(
    'Retire anchors even if proxies outside the cluster (ExternalWorkloads, clusters of Links that are not members) may trust no other.',
  ),
  bridge: {
    description:
      'How the bridge, the certificate of the next anchor by the present one, is signed. Absent: by the key of the present anchor in the cluster.',
    type: 'object',
    properties: {
      certificate: {
        description: `With Request: the signed certificate, PEM, followed by the CA certificates between it and the present anchor. It may also be in the ConfigMap ${BRIDGE_CONFIG_MAP} of cert-manager's namespace, under the key ${BRIDGE_KEY}.`,
        type: 'string',
        minLength: 1,
        maxLength: MAX_BRIDGE_LENGTH,
      },
      ifUnsigned: {
        description:
          'What to do if the bridge is still unsigned when only restarts would finish in time. Restart: restart all pods instead. Wait: keep waiting.',
        type: 'string',
        enum: ['Restart', 'Wait'] satisfies readonly UnsignedBridgePolicy[],
        default: BRIDGE_DEFAULTS.ifUnsigned,
      },
      member: {
        description: 'With Member: the cluster whose anchor certifies the anchors of this cluster; one of the members.',
        ...DNS_LABEL,
      },
      signedBy: {
        description:
          'Who signs the bridge. Key: the key of the present anchor in the cluster; if it is elsewhere, all pods restart instead. Request: if that key is elsewhere, a user who has it signs the certificate signing request in the status. Member: another cluster certifies each anchor of this one with its own, also while no rotation is in progress.',
        type: 'string',
        enum: ['Key', 'Request', 'Member'] satisfies readonly AnchorBridgeSigner[],
        default: BRIDGE_DEFAULTS.signedBy,
      },
      trustDomain: {
        description:
          "With Member: this cluster's trust domain, to which its certificates must be constrained. Absent: no constraint.",
        ...TRUST_DOMAIN,
      },
    },
    'x-kubernetes-validations': BRIDGE_RULES,
  },
  certManagerNamespace: namespace(
    'certManagerNamespace',
    "Namespace of cert-manager, which holds the anchors' Secrets.",
  ),
  certifies: {
    description: 'The members whose anchors this cluster certifies with its own, when they ask.',
    type: 'array',
    maxItems: MAX_MEMBERS,
    items: {
      type: 'object',
      required: ['cluster'],
      properties: {
        cluster: { description: 'One of the members.', ...DNS_LABEL },
        trustDomain: {
          description: 'The trust domain to which its certificate has to be constrained. Absent: no constraint.',
          ...TRUST_DOMAIN,
        },
      },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['cluster'],
  },
  clockSkewAllowance: duration(
    'clockSkewAllowance',
    "Allowed difference between proxies' clocks, as in the control plane.",
  ),
  cluster: { description: 'Name of this cluster among those that share its anchor.', ...DNS_LABEL },
  commonName: {
    description: 'Common name of anchors, prefixed with the number of the generation.',
    type: 'string',
    default: DEFAULTS.commonName,
    minLength: 1,
    maxLength: MAX_COMMON_NAME_LENGTH,
    pattern: '^[!-~]([ -~]*[!-~])?$',
  },
  compromised: {
    description:
      'Keys of anchors that leaked, as status.anchors shows them. Another anchor replaces such an anchor without a bridge, and all pods restart until none trusts it: at any hour, within the limits of laggards.',
    type: 'array',
    maxItems: MAX_COMPROMISED,
    items: { type: 'string', minLength: 64, maxLength: 64, pattern: ANCHOR_KEY_PATTERN },
    'x-kubernetes-list-type': 'set',
  },
  controlPlaneNamespace: namespace('controlPlaneNamespace', 'Namespace of the control plane.'),
  duration: duration('duration', 'Lifetime of anchors.'),
  issuanceLifetime: duration('issuanceLifetime', "Lifetime of proxies' certificates, as in the control plane."),
  laggards: {
    description: 'What to do with pods that trust only the old anchor and so delay its retirement.',
    type: 'object',
    default: laggards,
    properties: {
      ignoredNamespaces: {
        description:
          'Namespaces whose pods a rotation does not wait for, and restarts only if a key leaked: these pods may be refused, and refuse others.',
        type: 'array',
        maxItems: MAX_IGNORED_NAMESPACES,
        items: DNS_LABEL,
        'x-kubernetes-list-type': 'set',
      },
      maxUnavailableWorkloads: {
        description: 'Maximum number of workloads that restart at a time.',
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: MAX_UNAVAILABLE_WORKLOADS,
        default: laggards.maxUnavailableWorkloads,
      },
      policy: {
        description:
          'Report: list them, and restart them when the remaining time equals that of the worst-case plan. Restart: restart them as soon as new pods trust the new anchor. Never: only list them.',
        type: 'string',
        enum: ['Report', 'Restart', 'Never'] satisfies readonly LaggardPolicy[],
        default: laggards.policy,
      },
      progressDeadlineSeconds: {
        description:
          'Seconds after which a restart counts as stuck. If its new proxies do not start, all restarts stop. Otherwise, the next workload restarts.',
        type: 'integer',
        format: 'int32',
        minimum: 1,
        // A day, because the worst-case plan adds this time for each workload.
        maximum: 86_400,
        default: laggards.progressDeadlineSeconds,
      },
    },
  },
  members: {
    description:
      'Names of the other clusters that share the anchor: no anchor is retired before all of them have adopted the next one.',
    type: 'array',
    maxItems: MAX_MEMBERS,
    items: DNS_LABEL,
    'x-kubernetes-list-type': 'set',
  },
  paused: flag(
    'Pause rotations, and restarts of workloads. The operator still extends an anchor that would expire, and restarts identity if needed.',
  ),
  privateKey: {
    description: "Anchors' keys. Linkerd supports ECDSA P-256, RSA 2048 and RSA 4096.",
    type: 'object',
    default: privateKey,
    properties: {
      algorithm: { type: 'string', enum: ['ECDSA', 'RSA'], default: privateKey.algorithm },
      size: { type: 'integer', format: 'int32', default: privateKey.size },
    },
    'x-kubernetes-validations': [
      {
        rule: "self.algorithm == 'ECDSA' ? self.size == 256 : self.size in [2048, 4096]",
        message: 'Linkerd accepts ECDSA keys of size 256, and RSA keys of size 2048 or 4096',
      },
    ],
  },
  probes: {
    description:
      'Gate: connect to samples of proxies, report certificates that others refuse, and retire no anchor that some of them still need. Report: only report.',
    type: 'string',
    enum: ['Gate', 'Report'] satisfies readonly ProbePolicy[],
    default: DEFAULTS.probes,
  },
  propagationDelay: duration(
    'propagationDelay',
    'The longest time until a changed ConfigMap or Secret reaches the pods that mount it.',
  ),
  renewBefore: duration(
    'renewBefore',
    "Time before an anchor's expiry at which its rotation starts; earlier if a user has to sign the bridge.",
  ),
  rotateNow: {
    description: 'A new value starts a rotation.',
    type: 'string',
    minLength: 1,
    maxLength: 253,
  },
  windows: {
    description:
      'Windows in which rotations start when they are due, and laggards are restarted, unless time is short. rotateNow and compromised do not wait for them. Empty: at any time.',
    type: 'array',
    maxItems: MAX_WINDOWS,
    items: {
      type: 'object',
      required: ['duration', 'start'],
      properties: {
        days: {
          description: 'Days on which it opens; every day if empty.',
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
            {
              rule: `duration(self) <= duration('${MAX_WINDOW_LENGTH}')`,
              message: `must be at most ${MAX_WINDOW_LENGTH}`,
            },
          ],
        },
        start: {
          description: 'Time at which it opens, in UTC: `02:00`.',
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
        message: `${field} cannot be changed: delete the TrustAnchor, which changes nothing else, and create another`,
      },
    ],
  };
}

type DurationField = 'clockSkewAllowance' | 'duration' | 'issuanceLifetime' | 'propagationDelay' | 'renewBefore';

/** Of all durations, only `clockSkewAllowance` may be 0. */
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
