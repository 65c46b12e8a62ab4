import type { Duration } from 'cdk8s';
import { violationOf } from '../../../operator/api/kubernetes/violation';
import { IDENTITY_ISSUER } from '../../../operator/api/trust-anchor';
import type { Problem } from '../../kubernetes/findings/problem';
import { checkGoDuration } from '../../kubernetes/go-duration';
import { checkDnsLabel, checkDnsSubdomain } from '../../kubernetes/names';
import type { CertManagerVersion } from '../../linkerd/releases/cert-manager';
import { MAX_COMMON_NAME } from './certificate';
import { anchorCommonName, identityName } from './common-names';
import { checkIssuer } from './issuer-reference';
import { checkAnchorName, checkOperatorRotation } from './operator-rotation-rules';
import { checkRotationTime, type RotationSlack, rotationSlack } from './rotation-slack';
import { isOwnAnchor, type PemRoots, type SecretRoots, type TrustAnchorSource } from './trust-anchor';
import { checkRotation } from './trust-anchor-rotation';
import { foreignSecretOf, type TrustRoots } from './trust-roots';
import { type ChainWindows, milliseconds, type Validity, validityWindow } from './validity';
import { checkChains } from './validity-chains';
import { checkLimits, refusedMembers } from './validity-limits';

/** A mesh's PKI with all defaults in place. */
export interface PkiSettings {
  readonly trustAnchor: TrustAnchorSource;
  readonly trustRoots: TrustRoots;
  readonly identityIssuer: Validity;
  readonly webhookIssuer: Validity;
  readonly webhooks: Validity;
  readonly issuanceLifetime: Duration;
  readonly clockSkewAllowance: Duration;
  readonly controlPlaneNamespace: string;
  readonly clusterDomain: string;
  readonly trustDomain: string;
}

/** The windows that depend on each other. */
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

/** All that is wrong with a PKI. */
export function checkPki(pki: PkiSettings, version: CertManagerVersion): readonly Problem[] {
  const durations = checkDurations(pki);
  // Arithmetic with what cannot be written says nothing.
  const windows = durations.length > 0 ? [] : [...checkWindows(windowsOf(pki)), ...checkSlack(pki)];
  return [...checkNames(pki), ...durations, ...windows, ...checkAnchor(pki, version)];
}

/** Compares a rotation by the operator with the time that it has. */
function checkSlack(pki: PkiSettings): readonly Problem[] {
  const slack = slackOf(pki);
  return slack === undefined ? [] : checkRotationTime(slack);
}

/** The rotation by the operator, where its times and the anchor's window are right by themselves. */
export function slackOf(pki: PkiSettings): RotationSlack | undefined {
  const { trustAnchor } = pki;
  if (!isOwnAnchor(trustAnchor) || trustAnchor.rotation !== 'operator') return undefined;
  if (checkOperatorRotation(trustAnchor.operator ?? {}).length > 0 || checkDurations(pki).length > 0) return undefined;
  const windows = windowsOf(pki);
  const { duration, renewBefore } = validityWindow(trustAnchor);
  if (refusedMembers(windows).includes('trustAnchor') || renewBefore >= duration) return undefined;
  return rotationSlack(pki, trustAnchor);
}

/** Checks each window, and compares those that cert-manager does not refuse for themselves. */
function checkWindows(windows: ChainWindows): readonly Problem[] {
  return [...checkLimits(windows), ...checkChains(windows, refusedMembers(windows))];
}

/** Refuses a domain other than that which the cluster has by its own word. */
export function checkClusterDomain(clusterDomain: string, ofCluster: string | undefined): readonly Problem[] {
  if (ofCluster === undefined || clusterDomain === ofCluster) return [];
  return [
    {
      code: 'cluster-domain-differs',
      violates: violationOf('form', clusterDomain),
      what: `clusterDomain is "${clusterDomain}", but the domain of the cluster is "${ofCluster}"`,
      why: 'Proxies look up services, the control plane among them, by names below that domain: those of one do not exist in the other',
      fix: "remove clusterDomain, or set the cluster's domain; identities get a domain of their own by trustDomain",
    },
  ];
}

function checkNames(pki: PkiSettings): readonly Problem[] {
  const name = identityName(pki);
  const problems = [
    ...checkDnsLabel('controlPlaneNamespace', pki.controlPlaneNamespace),
    ...checkDnsSubdomain('clusterDomain', pki.clusterDomain),
    // The one is the other's default.
    ...(pki.trustDomain === pki.clusterDomain ? [] : checkDnsSubdomain('trustDomain', pki.trustDomain)),
  ];
  // A name that is refused for itself may be too long for that reason.
  if (problems.length === 0 && name.length > MAX_COMMON_NAME) {
    problems.push({
      code: 'issuer-name-too-long',
      what: `The identity issuer's name "${name}" has ${name.length} characters`,
      why: `It is the certificate's common name, of which X.509 and cert-manager's webhook allow ${MAX_COMMON_NAME}`,
      fix: 'choose a shorter trustDomain or control plane namespace',
    });
  }
  const { trustAnchor } = pki;
  // Whoever shortens the issuer's name shortens this one.
  if (problems.length === 0 && isOwnAnchor(trustAnchor) && trustAnchor.rotation === 'operator') {
    problems.push(...checkAnchorName(anchorCommonName(pki)));
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
  if (milliseconds(issuanceLifetime) > 0) return [];
  return [
    {
      code: 'issuance-lifetime-zero',
      what: 'issuanceLifetime is 0',
      why: 'Proxies would get certificates that have expired when they arrive',
      fix: 'set issuanceLifetime to Duration.hours(24), which is the default',
    },
  ];
}

function checkAnchor({ trustAnchor, trustRoots }: PkiSettings, version: CertManagerVersion): readonly Problem[] {
  if (isOwnAnchor(trustAnchor)) {
    const previous = trustRoots.from === 'secrets' ? trustRoots.previous : undefined;
    return [
      ...checkRotation(trustAnchor.rotation, version),
      ...(previous?.problems ?? []),
      ...(trustAnchor.operator === undefined ? [] : checkOperatorRotation(trustAnchor.operator)),
    ];
  }
  const secretName = foreignSecretOf(trustAnchor);
  return [
    ...(secretName === undefined ? [] : checkRootSecret(secretName)),
    ...(trustAnchor.from === 'issuer' ? [...checkIssuer(trustAnchor.issuer), ...checkRoots(trustAnchor.roots)] : []),
    ...(trustRoots.from === 'pem' ? trustRoots.parsed.problems : []),
  ];
}

/** The compiler refuses both of these as well. */
function checkRoots({
  certificates,
  secretName,
}: Pick<SecretRoots | PemRoots, 'certificates' | 'secretName'>): readonly Problem[] {
  if ((certificates === undefined) !== (secretName === undefined)) return [];
  const both = secretName !== undefined;
  return [
    {
      code: 'anchor-source-unclear',
      what: `trustAnchor.roots has ${both ? 'both' : 'neither'} secretName ${both ? 'and' : 'nor'} certificates`,
      why: both
        ? 'Proxies would be given the one and not the other: what only the other signs, they would reject'
        : 'Proxies would be given no trust anchors, and none of them would start',
      fix: 'say one: secretName, the Secret that has the certificates, or certificates, their text in PEM',
    },
  ];
}

function checkRootSecret(secretName: string): readonly Problem[] {
  if (secretName !== IDENTITY_ISSUER) return checkDnsSubdomain('trustAnchor.secretName', secretName);
  return [
    {
      code: 'anchor-from-issuer-secret',
      what: "The trust anchor is to be read from linkerd-identity-issuer, the identity issuer's own Secret",
      why: 'Its ca.crt changes only when the issuer is renewed: after a rotation of the anchor proxies would learn of the new anchor too late, and of the old one no more',
      fix: 'name the Secret of the anchor itself',
    },
  ];
}
