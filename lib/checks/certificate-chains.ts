import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { objectOf } from '#base/is-object';
import { textIn } from '#base/select-fields';
import { DAY, HOUR } from '#base/time-units';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { durationText } from '#kubernetes/options/duration-like';
import { isCertificate, isIssuer, issuerOf } from './certificate-checks';
import { DEFAULT_DURATION, MINIMUM_DURATION, MINIMUM_RENEW_BEFORE, millisecondsOf } from './certificate-limits';
import { OBJECT_CHECKS } from './findings';

/** How long a certificate is valid, and how long before its expiry it is renewed, in milliseconds. */
export interface CertificateWindow {
  readonly duration: number;
  readonly renewBefore: number;
}

/**
 * Returns the window of a Certificate, with cert-manager's defaults; undefined if cert-manager refuses it, or never
 * renews it.
 */
export function certificateWindow({ spec }: KubernetesObject): CertificateWindow | undefined {
  const { duration: given, renewal } = objectOf(spec);
  const duration = (given ?? undefined) === undefined ? DEFAULT_DURATION : millisecondsOf(given);
  if (duration === undefined || duration < MINIMUM_DURATION) return undefined;
  const renewBefore = renewBeforeOf(objectOf(spec), duration);
  const isRenewed = textIn(renewal, 'policy') !== 'Disabled' || objectOf(spec).renewBefore !== undefined;
  if (renewBefore === undefined || !isRenewed) return undefined;
  return renewBefore >= MINIMUM_RENEW_BEFORE && renewBefore < duration ? { duration, renewBefore } : undefined;
}

/** Computes as cert-manager does (pkg/util/pki/renewaltime.go). */
function renewBeforeOf(spec: Readonly<Record<string, unknown>>, duration: number): number | undefined {
  const [given, percentage] = [spec.renewBefore ?? undefined, spec.renewBeforePercentage ?? undefined];
  if (given !== undefined) return percentage === undefined ? millisecondsOf(given) : undefined;
  if (percentage === undefined) return duration / 3;
  return typeof percentage === 'number' ? (duration * percentage) / 100 : undefined;
}

/** A Certificate of a CA, with the Certificates that it is known to sign. */
interface Signer {
  readonly signer: KubernetesObject;
  readonly signed: readonly KubernetesObject[];
}

/**
 * Returns the Certificates whose keys a CA Issuer or ClusterIssuer uses, with the Certificates that it signs.
 *
 * @param clusterIssuers - the namespace in which ClusterIssuers look up Secrets; undefined if unknown
 */
export function signersAmong(
  objects: readonly KubernetesObject[],
  clusterIssuers: string | undefined,
): readonly Signer[] {
  const certificates = objects.filter(isCertificate);
  const issuers = new Map(objects.filter(isIssuer).map((issuer) => [describeObject(issuer), issuer]));
  if (issuers.size === 0) return [];
  const bySecret = grouped(certificates.map((one) => [textIn(one.spec, 'secretName') ?? '', one]));
  const signerOf = (certificate: KubernetesObject): KubernetesObject | undefined => {
    const issuer = issuers.get(issuerOf(certificate) ?? '');
    const secretName = issuer && textIn(objectOf(issuer.spec).ca, 'secretName');
    if (issuer === undefined || secretName === undefined) return undefined;
    const isAnywhere = issuer.kind === 'ClusterIssuer' && clusterIssuers === undefined;
    const namespace = issuer.kind === 'ClusterIssuer' ? clusterIssuers : issuer.metadata.namespace;
    const owners = bySecret.get(secretName)?.filter((one) => isAnywhere || one.metadata.namespace === namespace) ?? [];
    return owners.length === 1 && owners[0] !== certificate ? owners[0] : undefined;
  };
  const signed = new Map<KubernetesObject, KubernetesObject[]>();
  for (const certificate of certificates) {
    const signer = signerOf(certificate);
    if (signer !== undefined) signed.set(signer, [...(signed.get(signer) ?? []), certificate]);
  }
  return [...signed].map(([signer, certificatesOf]) => ({ signer, signed: certificatesOf }));
}

/** Reports a CA that, just before its own renewal, signs certificates that outlive it. */
export function checkSigner({ signer, signed }: Signer): readonly Problem[] {
  const window = certificateWindow(signer);
  if (window === undefined) return [];
  const outliving = signed
    .map((object) => ({ object, duration: certificateWindow(object)?.duration ?? 0 }))
    .filter(({ duration }) => duration > window.renewBefore);
  // A window that covers the longest certificate covers all of them.
  const [longest] = outliving.toSorted((one, other) => other.duration - one.duration);
  if (longest === undefined) return [];
  const proposed = proposeWindow(window, longest.duration, HOUR);
  return [
    OBJECT_CHECKS.certificateOutlivesIssuerSigned({
      signer: describeObject(signer),
      certificate: describeObject(longest.object),
      renewBefore: durationText(window.renewBefore),
      duration: durationText(longest.duration),
      ...proposedTexts(proposed),
    }),
  ];
}

/** Returns the fields of a proposed window, for a fix. */
export function proposedTexts({ duration, renewBefore }: CertificateWindow) {
  return { proposedDuration: fieldText(duration), proposedRenewBefore: fieldText(renewBefore) };
}

/** Returns a duration as a field of a Certificate, without the days in parentheses. */
function fieldText(ms: number): string {
  return durationText(ms).replace(/ .*/, '');
}

/** A hundred years: far below Go's limit, so that derived durations stay below it, too. */
export const MAX_LENGTH = 36_500 * DAY;

/**
 * Returns a valid window whose renewBefore covers `needed`, the lifetime of a certificate that is signed right before
 * the renewal.
 */
export function proposeWindow(window: CertificateWindow, needed: number, step: number): CertificateWindow {
  const least = Math.max(needed, MINIMUM_RENEW_BEFORE);
  let duration = Math.min(Math.max(window.duration, MINIMUM_DURATION), MAX_LENGTH);
  let { renewBefore } = window;
  if (renewBefore < least) renewBefore = roundUp(least, needed > 0 ? step : MINIMUM_RENEW_BEFORE);
  if (renewBefore >= duration) renewBefore = Math.max(roundUp(needed, step), thirdOf(duration));
  if (renewBefore >= duration) duration = roundUp(renewBefore + 1, DAY);
  return { duration, renewBefore };
}

/** Returns cert-manager's own default for renewBefore. */
function thirdOf(duration: number): number {
  return roundUp(duration / 3, MINIMUM_RENEW_BEFORE);
}

/** Returns the smallest multiple of a step that is not less than `ms`. */
export function roundUp(ms: number, step: number): number {
  return Math.ceil(ms / step) * step;
}
