import { goDurationMs } from '../../../../operator/api/go-duration';
import { ROTATE_NOW_ANNOTATION } from '../../../../operator/api/trust-anchor';
import type { FileReader } from '../../../gitops/changes/file-contents';
import { anchorChange, meshTrust } from '../../../gitops/changes/mesh-trust';
import { reissuingFields } from '../../../gitops/changes/reissuing-fields';
import { differentMembers } from '../../../gitops/changes/same-value';
import { describeObject, type KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { apiGroup } from '../../../kubernetes/scope';
import { isMap, type Values } from '../../../kubernetes/values';
import type { ChangedPair } from '../changes';
import type { ComparedCluster } from './compared';
import type { Consequence } from './consequence';

/** Another trust anchor of a mesh that runs: the gravest that can happen to it. */
export function ofAnchor(
  { before, after }: Pick<ComparedCluster, 'before' | 'after'>,
  reader: FileReader,
): readonly Consequence[] {
  const change = anchorChange(meshTrust(before.texts, reader), meshTrust(after.texts, reader));
  if (change === undefined) return [];
  const { isAccepted: accepted, ...of } = change;
  return [{ code: 'anchor-changed', severity: 'breaks-traffic', ...of, accepted }];
}

/** The consequences for certificates, and for those who issue and bundle them. */
export function ofCertificates({ changes }: Pick<ComparedCluster, 'changes'>): readonly Consequence[] {
  return changes.changed.flatMap((pair) => ofPair(pair));
}

/** The Secret of a Certificate that is deleted, which stays; nothing for other objects. */
export function abandonedSecret(object: KubernetesObject): readonly Consequence[] {
  if (apiGroup(object.apiVersion) !== 'cert-manager.io' || object.kind !== 'Certificate') return [];
  const { secretName: secret = '' } = specOf(object);
  return [
    { code: 'certificate-abandoned', severity: 'warning', object: describeObject(object), secret: String(secret) },
  ];
}

function ofPair(pair: ChangedPair): readonly Consequence[] {
  const { kind, apiVersion } = pair.after;
  const group = apiGroup(apiVersion);
  if (group === 'cert-manager.io' && kind === 'Certificate') return ofCertificate(pair);
  if (group === 'cert-manager.io' && (kind === 'Issuer' || kind === 'ClusterIssuer')) {
    return specChange(pair, 'issuer-changed', 'warning');
  }
  if (group === 'trust.cert-manager.io') return specChange(pair, 'trust-bundle-changed', 'warning');
  return group === 'config.linkerd.io' && kind === 'TrustAnchor' ? ofTrustAnchor(pair) : [];
}

function specChange(
  { before, after }: ChangedPair,
  code: 'issuer-changed' | 'trust-bundle-changed' | 'anchor-policy-changed',
  severity: Consequence['severity'],
): readonly Consequence[] {
  const fields = differentMembers(before.spec, after.spec);
  return fields.length === 0 ? [] : [{ code, severity, object: describeObject(after), fields }];
}

/** Fields that are written into the Secret of a certificate without a new one. Source: `NewSecretPostIssuancePolicyChain`. */
const REWRITTEN: readonly string[] = ['secretTemplate', 'additionalOutputFormats', 'keystores'];

/** Fields that only the next request of a certificate has. */
const LATER: readonly string[] = [
  'duration',
  'encodeUsagesInRequest',
  'nameConstraints',
  'privateKey',
  'signatureAlgorithm',
];

/** Fields that say when a certificate is renewed. */
const RENEWAL: readonly string[] = ['renewBefore', 'renewBeforePercentage'];

function ofCertificate({ before, after }: ChangedPair): readonly Consequence[] {
  const [old, next] = [specOf(before), specOf(after)];
  const object = describeObject(after);
  const anew = reissuingFields(old, next);
  const others = differentMembers(old, next).filter((field) => !anew.includes(field));
  const [renewal, rewritten] = [RENEWAL, REWRITTEN].map((fields) => others.filter((field) => fields.includes(field)));
  const later = others.filter((field) => LATER.includes(field) && !isSameLength(field, old, next));
  return [
    ...(anew.length === 0
      ? []
      : [{ code: 'certificate-reissued', severity: 'warning', object, fields: anew } as const]),
    ...(renewal?.length ? [renewalMove(object, old, next)] : []),
    ...(rewritten?.length
      ? [{ code: 'certificate-secret-rewritten', severity: 'info', object, fields: rewritten } as const]
      : []),
    ...(later.length === 0 || anew.length > 0
      ? []
      : [{ code: 'certificate-next-renewal', severity: 'info', object, fields: later } as const]),
  ];
}

function renewalMove(object: string, old: Values, next: Values): Consequence {
  return {
    code: 'certificate-renewal-moved',
    severity: 'info',
    object,
    before: renewalOf(old),
    after: renewalOf(next),
  };
}

/** The time before its end at which a certificate is renewed; cert-manager takes a third of its duration by default. */
function renewalOf({ renewBefore, renewBeforePercentage }: Values): string {
  if (typeof renewBeforePercentage === 'number') return `${renewBeforePercentage} %`;
  return typeof renewBefore === 'string' ? renewBefore : 'a third of its duration';
}

function isSameLength(field: string, { duration: before }: Values, { duration: after }: Values): boolean {
  if (field !== 'duration' || typeof before !== 'string' || typeof after !== 'string') return false;
  return goDurationMs(before) === goDurationMs(after);
}

/** A rotation begins when the token is another one. */
function ofTrustAnchor(pair: ChangedPair): readonly Consequence[] {
  const { before, after } = pair;
  const [old, next] = [specOf(before), specOf(after)];
  const [annotation, token] = [before, after].map(({ metadata }) => metadata.annotations?.[ROTATE_NOW_ANNOTATION]);
  const isAsked =
    (next.rotateNow !== undefined && next.rotateNow !== old.rotateNow) || (token !== undefined && token !== annotation);
  return [
    ...(isAsked
      ? [{ code: 'anchor-rotation-asked', severity: 'warning', object: describeObject(after) } as const]
      : []),
    ...specChange(pair, 'anchor-policy-changed', 'warning'),
  ];
}

function specOf({ spec }: KubernetesObject): Values {
  return isMap(spec) ? spec : {};
}
