import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { goDurationMs } from '#base/go-duration';
import { isObject } from '#base/is-object';
import { fieldPath, selectFields, textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { DEFAULT_DURATION, MINIMUM_DURATION, MINIMUM_RENEW_BEFORE, millisecondsOf } from './certificate-limits';
import { OBJECT_CHECKS } from './findings';
import type { PlacedObject as Emitted, IssuedSecrets, ObjectFacts, ObjectRule } from './object-rule';

type Spec = Readonly<Record<string, unknown>>;

/**
 * Reports problems of a Certificate that only cert-manager's webhook refuses (validateDuration and similar in its
 * internal/apis/certmanager/validation). If the webhook is down or bypassed, one duration that Go cannot parse stops
 * the controller's list of all Certificates.
 */
export function checkCertificate(object: KubernetesObject): readonly Problem[] {
  if (!isCertificate(object) || !isObject(object.spec)) return [];
  const { spec } = object;
  const unreadable = ['duration', 'renewBefore'].flatMap((field) => checkText(field, spec[field]));
  const problems = [...(unreadable.length > 0 ? unreadable : checkWindow(spec)), ...checkRenewal(spec)];
  return problems.map((problem) => ({ ...problem, place: describeObject(object) }));
}

/** The rule for cert-manager's Certificates. */
export const CERTIFICATE: ObjectRule = { kinds: ['cert-manager.io/Certificate'], check: checkCertificate };

/** Whether an object is a Certificate of cert-manager. */
export function isCertificate({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Certificate' && apiGroup(apiVersion) === 'cert-manager.io';
}

function checkText(field: string, value: unknown): readonly Problem[] {
  if (typeof value !== 'string' || goDurationMs(value) !== undefined) return [];
  return [OBJECT_CHECKS.certificateRefusedDuration({ field, value })];
}

function checkWindow(spec: Spec): readonly Problem[] {
  const duration = millisecondsOf(spec.duration) ?? DEFAULT_DURATION;
  const renewBefore = millisecondsOf(spec.renewBefore);
  if (duration < MINIMUM_DURATION) {
    return [OBJECT_CHECKS.certificateRefusedDurationShort({ duration: `${spec.duration}` })];
  }
  if (renewBefore === undefined || (renewBefore >= MINIMUM_RENEW_BEFORE && renewBefore < duration)) return [];
  const window = { renewBefore: `${spec.renewBefore}`, duration: `${spec.duration ?? '2160h'}` };
  return [OBJECT_CHECKS.certificateRefusedWindow(window)];
}

function checkRenewal({ renewal, renewBefore, renewBeforePercentage }: Spec): readonly Problem[] {
  const problems: Problem[] = [];
  if (renewBefore !== undefined && renewBeforePercentage !== undefined) {
    problems.push(OBJECT_CHECKS.certificateRefusedRenewalTwice());
  }
  if (isObject(renewal) && Object.keys(renewal).length === 0) {
    problems.push(OBJECT_CHECKS.certificateRefusedRenewalEmpty());
  }
  return problems;
}

type PlacedObject = Pick<Emitted, 'path' | 'object'>;

interface IssuedCertificate extends PlacedObject {
  readonly secretName: string;
}

/**
 * Annotations that make cert-manager create Certificates for an Ingress (https://cert-manager.io/docs/usage/ingress/).
 */
const ISSUING_ANNOTATIONS: readonly string[] = [
  'cert-manager.io/cluster-issuer',
  'cert-manager.io/issuer',
  'kubernetes.io/tls-acme',
];

/** Reports certificates that would be written to the Secret of another certificate. */
export function checkCertificateSecrets(objects: readonly PlacedObject[]): readonly Finding[] {
  const owners = new Map<string, IssuedCertificate>();
  return objects.flatMap(issuedCertificates).flatMap((issued) => {
    const secret = `${issued.object.metadata.namespace}/${issued.secretName}`;
    const owner = owners.get(secret);
    if (owner === undefined) owners.set(secret, issued);
    // A duplicate object is a separate problem.
    const isOther = owner !== undefined && describeObject(owner.object) !== describeObject(issued.object);
    return isOther ? findingsAt(issued.path, [sharedSecret(issued.object, secret, owner)]) : [];
  });
}

function issuedCertificates({ path, object }: PlacedObject): readonly IssuedCertificate[] {
  return secretNames(object).map((secretName) => ({ path, object, secretName }));
}

/** Returns the Secrets, in the namespace of an object, that cert-manager writes for it. */
export function secretNames(object: KubernetesObject): readonly string[] {
  if (isCertificate(object)) {
    const secretName = textIn(object.spec, 'secretName');
    return secretName === undefined ? [] : [secretName];
  }
  return isIssuedIngress(object) ? tlsSecrets(object.spec) : [];
}

function isIssuedIngress({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  const annotations: object = metadata.annotations ?? {};
  return (
    apiVersion.startsWith('networking.k8s.io/') &&
    kind === 'Ingress' &&
    ISSUING_ANNOTATIONS.some((annotation) => Object.hasOwn(annotations, annotation))
  );
}

/** Returns the Secrets of an Ingress, without duplicates: one certificate may serve several hosts. */
function tlsSecrets(spec: unknown): readonly string[] {
  const { tls } = (spec ?? {}) as { readonly tls?: unknown };
  const names = (Array.isArray(tls) ? tls : []).map((item: unknown) => textIn(item, 'secretName'));
  return [...new Set(names.filter((name) => name !== undefined))];
}

function sharedSecret(object: KubernetesObject, secret: string, owner: PlacedObject) {
  return OBJECT_CHECKS.certificateSecretShared({
    certificate: describeObject(object),
    secret,
    other: describeObject(owner.object),
    path: owner.path,
  });
}

const SOURCES = new Map([
  ['trust.cert-manager.io/Bundle', fieldPath('spec.sources[].secret')],
  ['trust-manager.io/ClusterBundle', fieldPath('spec.sourceRefs[]')],
]);

/** Returns the Certificates that an issuer among the objects signs with its own CA, by their Secrets. */
export function issuedSecrets(objects: readonly KubernetesObject[]): IssuedSecrets {
  const signing = new Set(objects.filter(isSigningIssuer).map(describeObject));
  return new Map(
    objects
      .filter((object) => isCertificate(object) && signing.has(issuerOf(object) ?? ''))
      .map((object) => [`${object.metadata.namespace}/${textIn(object.spec, 'secretName')}`, object]),
  );
}

/**
 * Checks that a bundle does not take its anchors from certificates that are renewed independently of it. The mesh's own
 * bundle selects anchors by label.
 *
 * @param trustNamespace where trust-manager looks for Secrets
 */
export function checkBundle(
  object: KubernetesObject,
  issued: IssuedSecrets,
  trustNamespace: string,
): readonly Problem[] {
  const sources = SOURCES.get(`${apiGroup(object.apiVersion)}/${object.kind}`);
  if (sources === undefined) return [];
  return selectFields(object, sources).flatMap(({ field, value }) => {
    const isSecret = (textIn(value, 'kind') ?? 'Secret') === 'Secret';
    const secret = `${trustNamespace}/${textIn(value, 'name')}`;
    const certificate = isSecret ? issued.get(secret) : undefined;
    if (certificate === undefined) return [];
    const key = `key ${textIn(value, 'key') ?? '*'}`;
    return [
      OBJECT_CHECKS.bundleOfIssuedCertificate({
        bundle: describeObject(object),
        field,
        secret: `${secret}, ${key}`,
        certificate: describeObject(certificate),
      }),
    ];
  });
}

/** The rule for the sources of trust-manager's bundles. */
export const BUNDLE: ObjectRule<ObjectFacts> = {
  kinds: [...SOURCES.keys()],
  check: (object, { issued, trustNamespace }) => checkBundle(object, issued, trustNamespace),
};

function isSigningIssuer(object: KubernetesObject): boolean {
  return isIssuer(object) && isObject(object.spec) && object.spec.selfSigned === undefined;
}

/** Whether an object is an issuer of cert-manager. */
export function isIssuer({ apiVersion, kind }: KubernetesObject): boolean {
  return apiGroup(apiVersion) === 'cert-manager.io' && (kind === 'Issuer' || kind === 'ClusterIssuer');
}

/** Returns the issuer of a Certificate, as `describeObject` names it; undefined if it is not one of cert-manager. */
export function issuerOf({ spec, metadata }: KubernetesObject): string | undefined {
  const ref = isObject(spec) ? spec.issuerRef : undefined;
  if ((textIn(ref, 'group') ?? 'cert-manager.io') !== 'cert-manager.io') return undefined;
  const kind = textIn(ref, 'kind') ?? 'Issuer';
  const namespace = kind === 'Issuer' ? metadata.namespace : undefined;
  return describeObject({ kind, metadata: { name: textIn(ref, 'name') ?? '', namespace } });
}
