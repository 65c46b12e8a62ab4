import { goDurationMs } from '#base/go-duration';
import { isSameValue } from '#base/same-value';
import { isMap, type Value, type Values } from '#base/values';

/**
 * Fields of a Certificate that must match its last CertificateRequest, or the key in its Secret: otherwise cert-manager
 * reissues it. Names and usages are compared as sets; issuers with the defaults of kind and group.
 *
 * Source: cert-manager v1.21, `NewTriggerPolicyChain` (internal/controller/certificates/policies/policies.go) with
 * `RequestMatchesSpec` and `PrivateKeyMatchesSpec` (pkg/util/pki/match.go).
 */
const REISSUED: readonly (readonly [field: string, normal: (spec: Values) => unknown])[] = [
  ['secretName', (spec) => spec.secretName],
  ['issuerRef', ({ issuerRef }) => issuerOf(issuerRef)],
  ['commonName', (spec) => spec.commonName ?? ''],
  ['subject', (spec) => subjectOf(spec)],
  ['literalSubject', (spec) => spec.literalSubject ?? ''],
  ['dnsNames', (spec) => setOf(spec.dnsNames)],
  ['ipAddresses', (spec) => setOf(spec.ipAddresses)],
  ['uris', (spec) => setOf(spec.uris)],
  ['emailAddresses', (spec) => setOf(spec.emailAddresses)],
  ['otherNames', (spec) => spec.otherNames ?? []],
  ['isCA', (spec) => spec.isCA ?? false],
  ['usages', (spec) => setOf(spec.usages ?? ['digital signature', 'key encipherment'])],
  ['privateKey', (spec) => keyOf(spec.privateKey)],
];

/** Returns the parts of a Certificate's spec whose change makes cert-manager reissue it, normalized. */
export function reissuingSpec(spec: Values): Values {
  const duration = typeof spec.duration === 'string' ? (goDurationMs(spec.duration) ?? spec.duration) : null;
  return { ...Object.fromEntries(REISSUED.map(([field, normal]) => [field, normal(spec) as Value])), duration };
}

/** Returns the changed fields that make cert-manager reissue a certificate at once. */
export function reissuingFields(before: Values, after: Values): readonly string[] {
  return [
    ...REISSUED.filter(([, normal]) => !isSameValue(normal(before), normal(after))).map(([field]) => field),
    ...(isOtherDuration(before.duration, after.duration) ? ['duration'] : []),
  ];
}

/** Adding or removing a duration takes effect with the next renewal. */
function isOtherDuration(before: Value | undefined, after: Value | undefined): boolean {
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  const [old, next] = [before, after].map(goDurationMs);
  return old === undefined || next === undefined ? before !== after : old !== next;
}

function issuerOf(reference: Value | undefined): unknown {
  const { name = '', kind, group } = isMap(reference) ? reference : {};
  return [name, kind || 'Issuer', group || 'cert-manager.io'];
}

/** cert-manager ignores the subject if there is a literalSubject. */
function subjectOf({ subject, literalSubject }: Values): unknown {
  if (literalSubject) return [];
  return isMap(subject)
    ? Object.entries(subject)
        .map(([key, value]) => [key, setOf(value)] as const)
        .filter(([, value]) => !isSameValue(value, []))
        .sort()
    : [];
}

/** Algorithm and size, with cert-manager's defaults. Encoding and rotation policy take effect later. */
function keyOf(key: Value | undefined): unknown {
  const { algorithm, size } = isMap(key) ? key : {};
  const name = algorithm || 'RSA';
  return [name, name === 'Ed25519' ? 0 : size || (name === 'ECDSA' ? 256 : 2048)];
}

function setOf(list: Value | undefined): unknown {
  return Array.isArray(list) ? [...new Set(list.map(String))].sort() : (list ?? []);
}
