import { type AlertRule, seconds, secondsLeft, type WatchedWindows } from './expiry-alert';
import { TRUST_ANCHOR_LABEL } from './trust-anchor-role';
import type { AnchorCertificate } from './trust-roots-pem';
import type { ValidityWindow } from './validity';
import { durationText } from './validity-text';

const ANCHOR = 'name="linkerd-trust-anchor"';
const WEEK = 7 * 86_400_000;

/** Alerts on an anchor that cert-manager made. */
export function anchorAlerts(windows: WatchedWindows, anchor: ValidityWindow): readonly AlertRule[] {
  const needed = windows.identityIssuer.duration;
  const critical = needed + (anchor.renewBefore - needed) / 4;
  return [
    windows.rotation === 'automatic-unsafe' ? renewalComing(windows, anchor) : rotationDue(windows, anchor),
    {
      alert: 'LinkerdTrustAnchorExpiring',
      expr: `${secondsLeft(ANCHOR)} < ${seconds(critical)}`,
      for: '10m',
      labels: { severity: 'critical' },
      annotations: {
        summary: "Linkerd's trust anchor expires in {{ $value | humanizeDuration }}",
        description: `The whole mesh stops when it does. From ${durationText(needed)} before on, the identity issuers that it signs outlive it.`,
      },
    },
    renewed(windows),
  ];
}

function rotationDue(windows: WatchedWindows, anchor: ValidityWindow): AlertRule {
  return {
    alert: 'LinkerdTrustAnchorRotationDue',
    expr: `${secondsLeft(ANCHOR)} < ${seconds(anchor.renewBefore)}`,
    for: '10m',
    labels: { severity: 'warning' },
    annotations: {
      summary: "Linkerd's trust anchor is to be rotated within {{ $value | humanizeDuration }}",
      description: [
        'Nothing renews it by itself. To renew a Certificate: cmctl renew.',
        '0. Suspend the CronJob that rotates certificates (linkerd-restarter, if there is one) until 5 is done.',
        `1. Copy tls.crt, and only that, of its Secret linkerd-trust-anchor into a Secret linkerd-previous-anchor beside it, labelled ${TRUST_ANCHOR_LABEL}=previous.`,
        '2. Renew the Certificate linkerd-identity-issuer.',
        '3. Renew the Certificate linkerd-trust-anchor.',
        `4. ${restart(windows)}`,
        '5. Renew linkerd-identity-issuer again, wait until all proxies have certificates from it, and delete linkerd-previous-anchor.',
      ].join('\n'),
    },
  };
}

function renewalComing(windows: WatchedWindows, anchor: ValidityWindow): AlertRule {
  const notice = Math.min(WEEK, (anchor.duration - anchor.renewBefore) / 4);
  return {
    alert: 'LinkerdTrustAnchorRenewalComing',
    expr: `${secondsLeft(ANCHOR)} < ${seconds(anchor.renewBefore + notice)}`,
    for: '10m',
    labels: { severity: 'warning' },
    annotations: {
      summary: `cert-manager renews Linkerd's trust anchor within ${durationText(notice)}`,
      description: `As soon as it has: ${restart(windows)}`,
    },
  };
}

function renewed(windows: WatchedWindows): AlertRule {
  const range = `${seconds(windows.identityIssuer.duration)}s:5m`;
  return {
    alert: 'LinkerdTrustAnchorRenewed',
    // The maximum hides that a restarted cert-manager reports a new series; 0 is what an anchor not yet issued has.
    expr: `changes((max by (name) (certmanager_certificate_expiration_timestamp_seconds{${ANCHOR}}) > 0)[${range}]) > 0`,
    labels: { severity: windows.rotation === 'automatic-unsafe' ? 'critical' : 'warning' },
    annotations: {
      summary: "Linkerd's trust anchor was renewed",
      description: `${restart(windows)} Renewing the Certificate linkerd-identity-issuer before that breaks the mesh.`,
    },
  };
}

/** The time that is left is that until cert-manager renews the issuer, by then with the new anchor. */
function restart({ identityIssuer }: WatchedWindows): string {
  const time = durationText(identityIssuer.duration - identityIssuer.renewBefore);
  return `Restart the control plane, then every meshed workload, before the identity issuer is renewed: ${time} after its last renewal.`;
}

/** Alerts on anchors that only Git knows: their dates are facts by the time of synthesis. */
export function pemAnchorAlerts({ pemAnchors, identityIssuer }: WatchedWindows): readonly AlertRule[] {
  return pemAnchors.flatMap((anchor) => [
    pemAnchorAlert(anchor, 'warning', lifetime(anchor) / 10 + identityIssuer.duration),
    pemAnchorAlert(anchor, 'critical', lifetime(anchor) / 40 + identityIssuer.duration),
  ]);
}

function lifetime({ notBefore, notAfter }: AnchorCertificate): number {
  return notAfter.getTime() - notBefore.getTime();
}

function pemAnchorAlert(anchor: AnchorCertificate, severity: string, lead: number): AlertRule {
  return {
    alert: 'LinkerdTrustAnchorExpiring',
    expr: `vector(${seconds(anchor.notAfter.getTime())}) - time() < ${seconds(lead)}`,
    labels: { severity, anchor: anchor.subject },
    annotations: {
      summary: `Linkerd's trust anchor ${anchor.subject} expires in {{ $value | humanizeDuration }}`,
      description:
        'Add its successor to the certificates in Git and restart all meshed workloads, let the successor sign the identity issuer, then remove this one.',
    },
  };
}
