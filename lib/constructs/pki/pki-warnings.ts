import { TRUST_ANCHOR_LABEL } from '../../../operator/api/trust-anchor';
import { certManagerRelease } from '../../linkerd/releases/cert-manager';
import type { Warning } from '../../linkerd/warnings';
import type { ICertManager } from './cert-manager';
import { PKI_FINDINGS } from './findings';
import { type PkiSettings, slackOf, windowsOf } from './pki-rules';
import { rotationSlackWarnings } from './rotation-slack';
import { isOwnAnchor } from './trust-anchor';
import { foreignSecretOf } from './trust-roots';
import type { AnchorCertificate } from './trust-roots-pem';
import { durationText } from './validity-text';

/** After each renewal the readers of the Secret load it again, up to a minute later because of the kubelet. */
const HASTY_MS = 3_600_000;

/** Warnings about a valid PKI. */
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
    ...(own && trustAnchor.rotation === 'automatic-unsafe' ? [PKI_FINDINGS.anchorRenewsByItself()] : []),
    ...(own && !hasAlerts ? [PKI_FINDINGS.noAlerts({ unwatched: 'the certificates of the PKI' })] : []),
    ...(trustRoots.from === 'pem' ? trustRoots.parsed.warnings : (trustRoots.previous?.warnings ?? [])),
    ...(slack === undefined ? [] : rotationSlackWarnings(slack)),
    ...(trustRoots.from === 'pem' && !hasAlerts
      ? trustRoots.parsed.anchors.map((anchor) => PKI_FINDINGS.noAlerts({ unwatched: pemText(anchor) }))
      : []),
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
    // Nothing at all is an error, not a risk.
    if (every <= 0 || every >= HASTY_MS) return [];
    return [PKI_FINDINGS.hastyRenewal({ certificate: member, every: durationText(every) })];
  });
}

function pemText({ subject, notAfter }: AnchorCertificate): string {
  return `the trust anchor ${subject}, which expires on ${notAfter.toISOString().slice(0, 10)}`;
}

function labelNeeded(secretName: string, namespace: string): Warning {
  const label = `${TRUST_ANCHOR_LABEL}=current`;
  return PKI_FINDINGS.anchorLabelNeeded({ secret: `${namespace}/${secretName}`, namespace, secretName, label });
}
