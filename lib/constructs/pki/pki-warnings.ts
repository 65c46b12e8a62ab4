import { TRUST_ANCHOR_LABEL } from '../../../operator/api/trust-anchor';
import type { Warning } from '../../kubernetes/findings/warning';
import { certManagerRelease } from '../../linkerd/releases/cert-manager';
import type { ICertManager } from './cert-manager';
import { type PkiSettings, slackOf, windowsOf } from './pki-rules';
import { rotationSlackWarnings } from './rotation-slack';
import { isOwnAnchor } from './trust-anchor';
import { automaticRotationWarning } from './trust-anchor-rotation';
import { foreignSecretOf } from './trust-roots';
import { durationText } from './validity-text';

/** Each renewal has whatever reads the Secret load it anew, with a delay of a minute or so by the kubelet. */
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
    ...(own && trustAnchor.rotation === 'automatic-unsafe' ? [automaticRotationWarning()] : []),
    ...(own && !hasAlerts ? [unwatchedAnchor()] : []),
    ...(trustRoots.from === 'pem' ? trustRoots.parsed.warnings : (trustRoots.previous?.warnings ?? [])),
    ...(slack === undefined ? [] : rotationSlackWarnings(slack)),
    ...(trustRoots.from === 'pem' && !hasAlerts
      ? trustRoots.parsed.anchors.map((anchor) => unwatchedPem(anchor.subject, anchor.notAfter))
      : []),
    ...(secretName === undefined ? [] : [labelNeeded(secretName, certManager.namespace)]),
    ...hastyRenewals(pki),
    ...(certManagerRelease(certManager.version).mergesInjectedCas ? [] : [webhookCaReplaced(certManager.version)]),
  ];
}

function hastyRenewals(pki: PkiSettings): readonly Warning[] {
  const { trustAnchor, identityIssuer, webhookIssuer, webhooks } = windowsOf(pki);
  return Object.entries({ trustAnchor, identityIssuer, webhookIssuer, webhooks }).flatMap(([member, window]) => {
    const every = window === undefined ? HASTY_MS : window.duration - window.renewBefore;
    // Nothing at all is an error, not a risk.
    if (every <= 0 || every >= HASTY_MS) return [];
    return [
      {
        code: 'hasty-renewal' as const,
        what: `${member} is renewed every ${durationText(every)}: its duration less its renewBefore`,
        why: 'renewBefore is how long before its end a certificate is replaced; this one has hardly been issued',
        fix: `set ${member}.renewBefore to what its replacement may take, half of its duration for instance`,
      },
    ];
  });
}

function unwatchedAnchor(): Warning {
  return {
    code: 'no-alerts',
    what: 'The PKI has no alerts',
    why: "Nobody is told when the trust anchor is to be rotated, or when a certificate is not renewed; cert-manager's Certificates stay Ready after they have expired",
    fix: 'set alerts (of a LinkerdMesh: monitoring), and let Prometheus scrape cert-manager',
  };
}

function unwatchedPem(subject: string, notAfter: Date): Warning {
  return {
    code: 'no-alerts',
    what: `The trust anchor ${subject} expires on ${notAfter.toISOString().slice(0, 10)}`,
    why: 'A synthesis has no clock and cannot tell whether that is soon, and nothing in the cluster watches it',
    fix: 'set alerts (of a LinkerdMesh: monitoring)',
  };
}

function labelNeeded(secretName: string, namespace: string): Warning {
  return {
    code: 'anchor-label-needed',
    what: `The trust bundle finds the Secret ${namespace}/${secretName} by the label ${TRUST_ANCHOR_LABEL}=current, which is not set from here`,
    why: 'Without the label the bundle has no anchor, and the control plane does not start',
    fix: `set the label where the Secret is made, or once by: kubectl label secret -n ${namespace} ${secretName} ${TRUST_ANCHOR_LABEL}=current`,
  };
}

function webhookCaReplaced(version: string): Warning {
  return {
    code: 'webhook-ca-replaced',
    what: `The cainjector of cert-manager ${version} replaces a webhook's CA at once when webhookIssuer is renewed`,
    why: 'Until the webhook has loaded its new certificate, a minute or so, the API server rejects it',
    fix: 'take cert-manager 1.19 or later, which keeps the old CA beside the new one, or a webhookIssuer of long duration',
  };
}
