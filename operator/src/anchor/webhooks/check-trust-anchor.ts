import type { Rotation } from '#anchor/memory';
import { anchorPolicy } from '#anchor/policy';
import type { Problem } from '#base/findings/problem';
import { WEBHOOK_FINDINGS } from '#operator/api/webhooks/findings';
import { knownRequest } from '../../pki/known-certificate';
import { memoryOf, type TrustAnchor } from '../objects/trust-anchor';
import { compromisedKeys } from '../observe/observe';
import { answeredCertificates } from '../observe/observe-answers';
import { humanTime } from '../status/human-time';

/** A requested change of a TrustAnchor. */
export interface AnchorRequest {
  readonly anchor: TrustAnchor;
  /** The current TrustAnchor; absent for a new one. */
  readonly old?: TrustAnchor;
}

/** The state of the cluster that matters to a request. */
export interface AnchorEvidence {
  /** Missing namespaces that the TrustAnchor names. */
  readonly missingNamespaces: readonly string[];
  readonly hasCertManager: boolean;
  /** The namespaces that the operator has permissions for. */
  readonly served: { readonly linkerdNamespace: string; readonly certManagerNamespace: string };
  /** The number of meshed workloads; undefined if unknown. */
  readonly workloads: number | undefined;
  readonly now: number;
}

/** Checks a request against the state of the cluster. */
export function checkTrustAnchor({ anchor, old }: AnchorRequest, evidence: AnchorEvidence): readonly Problem[] {
  // An existing one passed these checks. Users must be able to stop its rotation even if a prerequisite is gone.
  if (old !== undefined) return checkCompromised(anchor, old);
  const { certManagerNamespace } = anchor.spec;
  return [
    ...evidence.missingNamespaces.map((name) => WEBHOOK_FINDINGS.anchorPrerequisiteMissingNamespace({ name })),
    ...(evidence.hasCertManager || evidence.missingNamespaces.includes(certManagerNamespace)
      ? []
      : [WEBHOOK_FINDINGS.anchorPrerequisiteMissingCertManager()]),
  ];
}

/** Refuses keys that no anchor of the mesh has: with a mistyped key, the user would wait for a rotation in vain. */
function checkCompromised(anchor: TrustAnchor, old: TrustAnchor): readonly Problem[] {
  const before = compromisedKeys(old);
  const { anchors = [] } = old.status ?? {};
  const { bundles, compromised } = memoryOf(old);
  const known = new Set([
    ...before,
    ...anchors.map(({ key }) => key),
    ...bundles.flatMap(({ keys }) => keys),
    ...(compromised?.keys ?? []),
  ]);
  const listed = anchors.map(({ key, role, subject = '' }) => `${key} (${role}, ${subject})`).join('; ');
  return compromisedKeys(anchor)
    .filter((key) => !known.has(key))
    .map((key) =>
      listed === ''
        ? WEBHOOK_FINDINGS.compromisedKeyUnknownNone({ key })
        : WEBHOOK_FINDINGS.compromisedKeyUnknown({ key, listed }),
    );
}

/** Returns warnings about the effects of a TrustAnchor, each short enough to be delivered whole: 256 characters. */
export function anchorWarnings({ anchor, old }: AnchorRequest, evidence: AnchorEvidence): readonly string[] {
  return [
    ...unservedWarnings(anchor, evidence),
    ...rotationWarnings({ anchor, old }, evidence),
    ...abortWarnings(anchor, old),
    ...memberWarnings(anchor, old),
    ...bridgeWarnings(anchor, old),
    ...compromisedWarnings({ anchor, old }, evidence),
  ];
}

function compromisedWarnings({ anchor, old }: AnchorRequest, { workloads }: AnchorEvidence): readonly string[] {
  const before = old === undefined ? [] : compromisedKeys(old);
  if (compromisedKeys(anchor).every((key) => before.includes(key))) return [];
  const size = workloads === undefined ? 'all meshed workloads' : `${workloads} meshed workloads`;
  const { paused, abort, laggards } = anchor.spec;
  return [
    `${size} restart up to three times, at any hour, ${laggards.maxUnavailableWorkloads} at a time, until none trusts the key`,
    ...(paused ? ['the operator waits while spec.paused is true'] : []),
    ...(abort ? ['no rotation starts while spec.abort is true'] : []),
    ...(laggards.policy === 'Never' ? ['with laggards.policy Never, you must restart them'] : []),
  ];
}

function bridgeWarnings({ spec }: TrustAnchor, old: TrustAnchor | undefined): readonly string[] {
  const text = spec.bridge?.certificate;
  if (text === undefined || text === old?.spec.bridge?.certificate) return [];
  const given = answeredCertificates(text);
  if (given.length === 0) return ['spec.bridge.certificate holds no certificate in PEM that can be read'];
  const request = knownRequest(old?.status?.bridge?.request ?? '');
  const isOther = request !== undefined && given.every(({ key }) => key !== request.key);
  return isOther ? ['spec.bridge.certificate is not for the request in status.bridge: its key or subject differs'] : [];
}

function unservedWarnings({ spec }: TrustAnchor, { served }: AnchorEvidence): readonly string[] {
  const { linkerdNamespace: linkerd, certManagerNamespace: certManager } = served;
  if (spec.controlPlaneNamespace === linkerd && spec.certManagerNamespace === certManager) return [];
  return [
    `the operator serves the control plane in ${linkerd} and cert-manager in ${certManager}, not the named namespaces`,
  ];
}

function rotationWarnings({ anchor, old }: AnchorRequest, { workloads, now }: AnchorEvidence): readonly string[] {
  const status = old?.status;
  const signing = status?.anchors?.find(({ role }) => role === 'Signing');
  if (old === undefined || signing === undefined || status?.memory?.rotation !== undefined) return [];
  const end = Date.parse(signing.notAfter);
  const isAsked = anchor.spec.rotateNow !== undefined && anchor.spec.rotateNow !== old.spec.rotateNow;
  const { renewBefore } = anchorPolicy(anchor.spec, undefined);
  const isDue = now >= end - renewBefore && now < end - anchorPolicy(old.spec, undefined).renewBefore;
  if (!isAsked && !isDue) return [];
  const due = isDue ? [`a rotation begins at once: the anchor expires in ${humanTime(end - now)}`] : [];
  const size = workloads === undefined ? 'all meshed workloads are' : `${workloads} meshed workloads are`;
  const isLong = signing.generation === undefined && anchorPolicy(anchor.spec, undefined).bridgeSigner === undefined;
  const long = isLong
    ? [`the key of the present anchor is not in the cluster: ${size} restarted before the next one signs`]
    : [];
  const late = status?.slack?.startsWith('-')
    ? [`the worst-case plan ends too late: its slack is ${status.slack}`]
    : [];
  return [...due, ...long, ...late];
}

function abortWarnings(anchor: TrustAnchor, old: TrustAnchor | undefined): readonly string[] {
  const rotation = old?.status?.memory?.rotation as Pick<Rotation, 'retiring' | 'committed'> | undefined;
  if (!anchor.spec.abort || old?.spec.abort || !(rotation?.retiring || rotation?.committed)) return [];
  const why = rotation.retiring
    ? 'the old anchor is being removed'
    : 'clusters that share the anchor may have removed the old one';
  return [`abort comes too late for the current rotation: ${why}. It only prevents the next one`];
}

function memberWarnings(anchor: TrustAnchor, old: TrustAnchor | undefined): readonly string[] {
  if (old?.status?.memory?.rotation === undefined) return [];
  const gone = (old.spec.members ?? []).filter((name) => !(anchor.spec.members ?? []).includes(name));
  return gone.slice(0, 4).map((name) => `the current rotation no longer waits for cluster ${name}`);
}
