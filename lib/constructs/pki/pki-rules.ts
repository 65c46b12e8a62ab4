import type { Duration } from 'cdk8s';
import { IDENTITY_ISSUER, TRUST_ANCHOR_LABEL } from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import { HOUR } from '#base/time-units';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { checkGoDuration, durationText, milliseconds } from '#kubernetes/options/duration-like';
import { type CertManagerVersion, certManagerRelease } from '#linkerd/releases/cert-manager';
import { compareReleases } from '#linkerd/releases/lines';
import type { Warning } from '../../checks/warnings';
import { checkRotation } from './anchor-rotation';
import type { ICertManager } from './cert-manager';
import { MAX_COMMON_NAME } from './certificate';
import { PKI_FINDINGS } from './findings';
import { checkIssuer } from './issuer-reference';
import { checkAnchorName, checkOperatorRotation, type OperatorRotation } from './operator-rotation';
import {
  checkRotationTime,
  leastTime,
  type RotationSlack,
  rotationSlack,
  rotationSlackWarnings,
} from './rotation-slack';
import {
  identityName,
  isOwnAnchor,
  operatedCommonName,
  type PemRoots,
  type SecretRoots,
  type TrustAnchorSource,
} from './trust-anchor';
import { type AnchorCertificate, foreignSecretOf, type TrustRoots } from './trust-roots';
import { type ChainWindows, type ResolvedValidity, type Validity, validityWindow } from './validity';
import { checkChains, checkLimits, checkOmissions, type Omissions, refusedMembers } from './validity-rules';

/** A mesh's PKI with all defaults set. */
export interface PkiSettings {
  readonly trustAnchor: TrustAnchorSource;
  readonly trustRoots: TrustRoots;
  readonly identityIssuer: ResolvedValidity;
  readonly webhookIssuer: ResolvedValidity;
  readonly webhooks: ResolvedValidity;
  readonly issuanceLifetime: Duration;
  readonly clockSkewAllowance: Duration;
  readonly controlPlaneNamespace: string;
  readonly clusterDomain: string;
  readonly trustDomain: string;
}

/** Returns the validities that depend on each other, in milliseconds. */
export function windowsOf(pki: PkiSettings): ChainWindows {
  return {
    ...(isOwnAnchor(pki.trustAnchor) && { trustAnchor: validityWindow(pki.trustAnchor) }),
    identityIssuer: validityWindow(pki.identityIssuer),
    webhookIssuer: validityWindow(pki.webhookIssuer),
    webhooks: validityWindow(pki.webhooks),
    issuanceLifetime: milliseconds(pki.issuanceLifetime),
    clockSkewAllowance: milliseconds(pki.clockSkewAllowance),
  };
}

/** Returns all problems of a PKI. */
export function checkPki(pki: PkiSettings, version: CertManagerVersion, omissions: Omissions = {}): readonly Problem[] {
  const durations = checkDurations(pki);
  // Windows of invalid durations cannot be compared.
  const windows =
    durations.length > 0 ? [] : [...checkWindows(windowsOf(pki), omissions), ...checkSlack(pki, omissions)];
  return [...checkNames(pki), ...durations, ...windows, ...checkAnchor(pki, version)];
}

function checkSlack(pki: PkiSettings, { trustAnchor }: Omissions): readonly Problem[] {
  const slack = trustAnchor === undefined ? slackOf(pki) : undefined;
  return slack === undefined ? [] : checkRotationTime(slack);
}

/** Returns the smallest `renewBefore` of an anchor that these rules accept, in milliseconds. */
export function leastRenewBefore(pki: PkiSettings): number {
  const slack = slackOf(pki);
  return Math.max(windowsOf(pki).identityIssuer.duration, slack === undefined ? 0 : leastTime(slack));
}

/** Undefined for an anchor that no operator rotates, or whose times are invalid. */
function slackOf(pki: PkiSettings): RotationSlack | undefined {
  const { trustAnchor } = pki;
  if (!isOwnAnchor(trustAnchor) || trustAnchor.rotation !== 'operator') return undefined;
  if (
    checkOperatorRotation(trustAnchor.operator ?? {}, pki.controlPlaneNamespace).length > 0 ||
    checkDurations(pki).length > 0
  )
    return undefined;
  const windows = windowsOf(pki);
  const { duration, renewBefore } = validityWindow(trustAnchor);
  if (refusedMembers(windows).includes('trustAnchor') || renewBefore >= duration) return undefined;
  return rotationSlack(pki, trustAnchor);
}

function checkWindows(windows: ChainWindows, omissions: Omissions): readonly Problem[] {
  const omitted = refusedMembers(windows, omissions);
  return [
    ...checkOmissions(windows, omissions),
    ...checkLimits(windows, Object.keys(omissions) as (keyof Omissions)[]),
    ...checkChains(windows, omitted),
  ];
}

/** Refuses a domain other than the Cluster's. */
export function checkClusterDomain(clusterDomain: string, ofCluster: string | undefined): readonly Problem[] {
  if (ofCluster === undefined || clusterDomain === ofCluster) return [];
  // `checkNames` reports an invalid domain.
  if (checkDnsSubdomain('clusterDomain', clusterDomain).length > 0) return [];
  return [PKI_FINDINGS.clusterDomainDiffers({ clusterDomain, ofCluster })];
}

function checkNames(pki: PkiSettings): readonly Problem[] {
  const name = identityName(pki);
  const problems = [
    ...checkDnsLabel('controlPlaneNamespace', pki.controlPlaneNamespace),
    ...checkDnsSubdomain('clusterDomain', pki.clusterDomain),
    // The two domains are the same by default.
    ...(pki.trustDomain === pki.clusterDomain ? [] : checkDnsSubdomain('trustDomain', pki.trustDomain)),
  ];
  // An invalid part may be the reason why the name is too long.
  if (problems.length === 0 && name.length > MAX_COMMON_NAME) {
    problems.push(PKI_FINDINGS.nameTooLongIssuer({ name, length: name.length, most: MAX_COMMON_NAME }));
  }
  const { trustAnchor } = pki;
  // A shorter name of the issuer also shortens the name of the anchor.
  if (problems.length === 0 && isOwnAnchor(trustAnchor) && trustAnchor.rotation === 'operator') {
    problems.push(...checkAnchorName(operatedCommonName(pki, trustAnchor.operator)));
  }
  return problems;
}

function checkDurations(pki: PkiSettings): readonly Problem[] {
  const certificates = ['identityIssuer', 'webhookIssuer', 'webhooks'] as const;
  return [
    ...(isOwnAnchor(pki.trustAnchor) ? checkWindowDurations('trustAnchor', pki.trustAnchor) : []),
    ...certificates.flatMap((field) => checkWindowDurations(field, pki[field])),
    ...checkGoDuration('issuanceLifetime', pki.issuanceLifetime),
    ...checkGoDuration('clockSkewAllowance', pki.clockSkewAllowance),
    ...checkLifetime(pki.issuanceLifetime),
  ];
}

function checkWindowDurations(field: string, { duration, renewBefore }: Validity): readonly Problem[] {
  return [...checkGoDuration(`${field}.duration`, duration), ...checkGoDuration(`${field}.renewBefore`, renewBefore)];
}

function checkLifetime(issuanceLifetime: Duration): readonly Problem[] {
  return milliseconds(issuanceLifetime) > 0 ? [] : [PKI_FINDINGS.validityRefusedLifetimeZero()];
}

function checkAnchor(pki: PkiSettings, version: CertManagerVersion): readonly Problem[] {
  const { trustAnchor, trustRoots } = pki;
  if (isOwnAnchor(trustAnchor)) {
    const previous = trustRoots.from === 'secrets' ? trustRoots.previous : undefined;
    return [
      ...checkRotation(trustAnchor.rotation, version),
      ...(previous?.problems ?? []),
      ...(trustAnchor.operator === undefined
        ? []
        : checkOperatorRotation(trustAnchor.operator, pki.controlPlaneNamespace)),
      ...checkConstraints(trustAnchor.operator ?? {}, pki.trustDomain, version),
    ];
  }
  const secretName = foreignSecretOf(trustAnchor);
  return [
    ...(secretName === undefined ? [] : checkRootSecret(secretName)),
    ...(trustAnchor.from === 'issuer' ? [...checkIssuer(trustAnchor.issuer), ...checkRoots(trustAnchor.roots)] : []),
    ...(trustRoots.from === 'pem' ? trustRoots.parsed.problems : []),
  ];
}

/** Refuses name constraints that cert-manager would leave out, or that would constrain nothing. */
function checkConstraints(
  { certifies = [], bridge }: OperatorRotation,
  own: string,
  version: CertManagerVersion,
): readonly Problem[] {
  const constrained = certifies.filter(({ trustDomain }) => trustDomain !== undefined);
  const isAsked = constrained.length > 0 || bridge?.constrained === true;
  const isUnsupported = isAsked && !certManagerRelease(version).nameConstraints;
  return [
    ...(isUnsupported ? [PKI_FINDINGS.anchorConstraintRefusedUnsupported({ version })] : []),
    ...constrained
      .filter(({ trustDomain = '' }) => own === trustDomain || own.endsWith(`.${trustDomain}`))
      .map(({ cluster, trustDomain = '' }) =>
        PKI_FINDINGS.anchorConstraintRefusedOwnDomain({ cluster, trustDomain, own }),
      ),
  ];
}

/** Untyped code may set both sources of the roots, or neither. */
function checkRoots({
  certificates,
  secretName,
}: Pick<SecretRoots | PemRoots, 'certificates' | 'secretName'>): readonly Problem[] {
  if ((certificates === undefined) !== (secretName === undefined)) return [];
  return [PKI_FINDINGS.trustAnchorRefusedSourceAmbiguous({ has: secretName === undefined ? 'neither' : 'both' })];
}

function checkRootSecret(secretName: string): readonly Problem[] {
  if (secretName === IDENTITY_ISSUER) return [PKI_FINDINGS.trustAnchorRefusedIssuerSecret()];
  return checkDnsSubdomain('trustAnchor.secretName', secretName);
}

/** The first release whose proxies refuse SPIFFE identities outside of a name constraint (rustls-webpki 0.103.12). */
const CONSTRAINS_SPIFFE = 'edge-26.4.4';

/** Warns about members whose certificates proxies of a release do not constrain to SPIFFE identities. */
export function checkConstrainedMembers(trustAnchor: TrustAnchorSource, version: string): readonly Warning[] {
  if (!isOwnAnchor(trustAnchor) || compareReleases(version, CONSTRAINS_SPIFFE) >= 0) return [];
  return (trustAnchor.operator?.certifies ?? []).flatMap(({ cluster, trustDomain }) =>
    trustDomain === undefined
      ? []
      : [PKI_FINDINGS.anchorCertifiedUnconstrainedRelease({ cluster, trustDomain, version })],
  );
}

/** Shorter intervals between renewals are reported: readers of a Secret reload it up to a minute after a renewal. */
const HASTY_MS = HOUR;

/** Returns warnings about a valid PKI. */
export function pkiWarnings(
  pki: PkiSettings,
  certManager: Pick<ICertManager, 'version' | 'namespace'>,
  hasAlerts: boolean,
): readonly Warning[] {
  const { trustAnchor, trustRoots } = pki;
  const secretName = foreignSecretOf(trustAnchor);
  const own = isOwnAnchor(trustAnchor);
  const slack = slackOf(pki);
  return [
    ...(own && trustAnchor.rotation === 'automatic-unsafe' ? [PKI_FINDINGS.anchorRenewalAutomatic()] : []),
    ...(own && !hasAlerts ? [PKI_FINDINGS.certificateAlertsMissing()] : []),
    ...(own ? (trustAnchor.operator?.certifies ?? []) : []).flatMap(({ cluster, trustDomain }) =>
      trustDomain === undefined ? [PKI_FINDINGS.anchorCertifiedUnconstrained({ cluster })] : [],
    ),
    ...(slack === undefined ? [] : rotationSlackWarnings(slack)),
    ...(trustRoots.from === 'pem' && !hasAlerts ? trustRoots.parsed.anchors.map(unwatchedAnchor) : []),
    ...(secretName === undefined ? [] : [labelNeeded(secretName, certManager.namespace)]),
    ...hastyRenewals(pki),
    ...(certManagerRelease(certManager.version).mergesInjectedCas
      ? []
      : [PKI_FINDINGS.webhookCaReplaced({ version: certManager.version })]),
  ];
}

function hastyRenewals(pki: PkiSettings): readonly Warning[] {
  const { trustAnchor, identityIssuer, webhookIssuer, webhooks } = windowsOf(pki);
  return Object.entries({ trustAnchor, identityIssuer, webhookIssuer, webhooks }).flatMap(([member, window]) => {
    const every = window === undefined ? HASTY_MS : window.duration - window.renewBefore;
    // Other rules report zero as an error.
    if (every <= 0 || every >= HASTY_MS) return [];
    return [PKI_FINDINGS.certificateRenewalLoop({ certificate: member, every: durationText(every) })];
  });
}

function unwatchedAnchor({ subject, notAfter }: AnchorCertificate): Warning {
  return PKI_FINDINGS.certificateAlertsMissingAnchor({ subject, end: notAfter.toISOString().slice(0, 10) });
}

function labelNeeded(secretName: string, namespace: string): Warning {
  const label = `${TRUST_ANCHOR_LABEL}=current`;
  return PKI_FINDINGS.trustAnchorUnlabelled({ secret: `${namespace}/${secretName}`, namespace, secretName, label });
}
