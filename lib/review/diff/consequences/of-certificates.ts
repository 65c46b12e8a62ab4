import { ROTATE_NOW_ANNOTATION } from '#anchor/trust-anchor';
import { goDurationMs } from '#base/go-duration';
import { differentMembers } from '#base/same-value';
import { itemsOf } from '#base/select-fields';
import type { Values } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import type { FileReader } from '#lib/gitops/changes/file-contents';
import { anchorChange, managerChange, meshTrust } from '#lib/gitops/changes/mesh-trust';
import { reissuingFields } from '#lib/gitops/changes/reissuing-fields';
import type { ChangedPair } from '../changes';
import { type Consequence, consequence } from './catalogue';
import type { ComparedCluster } from './compared';
import { specOf } from './compared';

/** Returns the consequence of a changed trust anchor: another root in the mesh, or else another manager. */
export function ofAnchor(
  { before, after }: Pick<ComparedCluster, 'before' | 'after'>,
  reader: FileReader,
): readonly Consequence[] {
  const [old, next] = [meshTrust(before.texts, reader), meshTrust(after.texts, reader)];
  const change = anchorChange(old, next);
  const manager = managerChange(old, next);
  if (change === undefined)
    return manager === undefined ? [] : [consequence({ code: 'anchor-manager-changed', ...manager })];
  const { isAccepted: accepted, ...of } = change;
  return [consequence({ code: 'anchor-changed', ...of, accepted })];
}

/** Returns the consequences for certificates, issuers, trust bundles and the operator's TrustAnchor. */
export function ofCertificates({ changes }: Pick<ComparedCluster, 'changes'>): readonly Consequence[] {
  return changes.changed.flatMap((pair) => ofPair(pair));
}

/** Reports the Secret that a deleted Certificate leaves in the cluster. */
export function abandonedSecret(object: KubernetesObject): readonly Consequence[] {
  if (apiGroup(object.apiVersion) !== 'cert-manager.io' || object.kind !== 'Certificate') return [];
  const { secretName: secret = '' } = specOf(object);
  return [consequence({ code: 'certificate-abandoned', object: describeObject(object), secret: String(secret) })];
}

function ofPair(pair: ChangedPair): readonly Consequence[] {
  const { kind, apiVersion } = pair.after;
  const group = apiGroup(apiVersion);
  if (group === 'cert-manager.io' && kind === 'Certificate') return ofCertificate(pair);
  if (group === 'cert-manager.io' && (kind === 'Issuer' || kind === 'ClusterIssuer')) {
    return specChange(pair, 'issuer-changed');
  }
  if (group === 'trust.cert-manager.io') return specChange(pair, 'trust-bundle-changed');
  return group === 'config.linkerd.io' && kind === 'TrustAnchor' ? ofTrustAnchor(pair) : [];
}

function specChange(
  { before, after }: ChangedPair,
  code: 'issuer-changed' | 'trust-bundle-changed' | 'anchor-policy-changed',
): readonly Consequence[] {
  const fields = differentMembers(before.spec, after.spec);
  return fields.length === 0 ? [] : [consequence({ code, object: describeObject(after), fields })];
}

/**
 * Fields that cert-manager writes into the Secret without reissuing the certificate. Source: cert-manager's
 * `NewSecretPostIssuancePolicyChain`.
 */
const REWRITTEN: readonly string[] = ['secretTemplate', 'additionalOutputFormats', 'keystores'];

/** Fields that take effect with the next request of a certificate. */
const LATER: readonly string[] = [
  'duration',
  'encodeUsagesInRequest',
  'nameConstraints',
  'privateKey',
  'signatureAlgorithm',
];

const RENEWAL: readonly string[] = ['renewBefore', 'renewBeforePercentage'];

function ofCertificate({ before, after }: ChangedPair): readonly Consequence[] {
  const [old, next] = [specOf(before), specOf(after)];
  const object = describeObject(after);
  const reissuing = reissuingFields(old, next);
  const others = differentMembers(old, next).filter((field) => !reissuing.includes(field));
  const [renewal, rewritten] = [RENEWAL, REWRITTEN].map((fields) => others.filter((field) => fields.includes(field)));
  const later = others.filter((field) => LATER.includes(field) && !isSameLength(field, old, next));
  return [
    ...(reissuing.length === 0 ? [] : [consequence({ code: 'certificate-reissued', object, fields: reissuing })]),
    ...(renewal?.length
      ? [consequence({ code: 'certificate-renewal-moved', object, before: renewalOf(old), after: renewalOf(next) })]
      : []),
    ...(rewritten?.length ? [consequence({ code: 'certificate-secret-rewritten', object, fields: rewritten })] : []),
    ...(later.length === 0 || reissuing.length > 0
      ? []
      : [consequence({ code: 'certificate-next-renewal', object, fields: later })]),
  ];
}

/** Returns the time before expiry at which cert-manager renews; by default a third of the duration. */
function renewalOf({ renewBefore, renewBeforePercentage }: Values): string {
  if (typeof renewBeforePercentage === 'number') return `${renewBeforePercentage} %`;
  return typeof renewBefore === 'string' ? renewBefore : 'a third of its duration';
}

function isSameLength(field: string, { duration: before }: Values, { duration: after }: Values): boolean {
  if (field !== 'duration' || typeof before !== 'string' || typeof after !== 'string') return false;
  return goDurationMs(before) === goDurationMs(after);
}

/** A new token in `rotateNow` or in the annotation starts a rotation, as does a new compromised key. */
function ofTrustAnchor(pair: ChangedPair): readonly Consequence[] {
  const { before, after } = pair;
  const [old, next] = [specOf(before), specOf(after)];
  const [annotation, token] = [before, after].map(({ metadata }) => metadata.annotations?.[ROTATE_NOW_ANNOTATION]);
  const leaked = itemsOf(next.compromised).some((key) => !itemsOf(old.compromised).includes(key));
  const isAsked =
    leaked ||
    (next.rotateNow !== undefined && next.rotateNow !== old.rotateNow) ||
    (token !== undefined && token !== annotation);
  return [
    ...(isAsked ? [consequence({ code: 'anchor-rotation-asked', object: describeObject(after) })] : []),
    ...specChange(pair, 'anchor-policy-changed'),
  ];
}
