import { DAY } from '../../../operator/api/time-units';
import { ANCHOR, NAMED_GENERATIONS, TRUST_ANCHOR_LABEL } from '../../../operator/api/trust-anchor';
import { type AlertRule, seconds, secondsLeft, type WatchedWindows } from './expiry-alert';
import type { AnchorCertificate } from './trust-roots-pem';
import type { ValidityWindow } from './validity';
import { durationText } from './validity-text';

/** The selector of an anchor that an operator does not rotate. */
function selectorOf({ anchorName = ANCHOR }: WatchedWindows): string {
  return `name="${anchorName}"`;
}

/** Names of Certificates that may be those of anchors which an operator rotates, as a regular expression. */
export const ANCHOR_NAMES = `linkerd-trust-anchor(-[1-${NAMED_GENERATIONS}])?`;

const WEEK = 7 * DAY;

/** Alerts on an anchor that cert-manager made. */
export function anchorAlerts(windows: WatchedWindows, anchor: ValidityWindow): readonly AlertRule[] {
  const needed = windows.identityIssuer.duration;
  const critical = needed + (anchor.renewBefore - needed) / 4;
  if (windows.rotation === 'operator') return operatedAnchorAlerts(anchor.renewBefore, critical);
  return [
    windows.rotation === 'automatic-unsafe' ? renewalComing(windows, anchor) : rotationDue(windows, anchor),
    {
      alert: 'LinkerdTrustAnchorExpiring',
      expr: `${secondsLeft(selectorOf(windows))} < ${seconds(critical)}`,
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

/** The pointer that the alerts of a rotation end with. */
const STOP =
  'What is waited for is in the conditions of the TrustAnchor linkerd (kubectl describe trustanchor linkerd); nothing breaks while it waits, until the anchor ends.';

/** Alerts on anchors that an operator rotates, most of them from its own metrics. */
function operatedAnchorAlerts(renewBefore: number, critical: number): readonly AlertRule[] {
  return [
    {
      alert: 'LinkerdTrustAnchorRotationOverdue',
      // Windows come once a week at least.
      expr: `max(linkerd_trust_anchor_phase{phase="Stable"}) == 1 and max(linkerd_trust_anchor_next_rotation_timestamp_seconds) > 0 and time() - max(linkerd_trust_anchor_next_rotation_timestamp_seconds) > ${seconds(8 * DAY)}`,
      for: '1h',
      labels: { severity: 'warning' },
      annotations: {
        summary: "The rotation of Linkerd's trust anchor was due more than a week ago, and has not begun",
        description: `The operator is paused, or refuses to begin. ${STOP}`,
      },
    },
    {
      alert: 'LinkerdTrustAnchorRotationBlocked',
      expr: 'max(linkerd_trust_anchor_stuck) == 1',
      for: '1h',
      labels: { severity: 'warning' },
      annotations: { summary: "The rotation of Linkerd's trust anchor does not go on", description: STOP },
    },
    {
      alert: 'LinkerdTrustAnchorLaggards',
      expr: `max(linkerd_trust_anchor_laggard_pods) > 0 and max(linkerd_trust_anchor_slack_seconds) < ${seconds(renewBefore / 4)} and max(linkerd_trust_anchor_phase{phase="Stable"}) == 0`,
      for: '1h',
      labels: { severity: 'warning' },
      annotations: {
        summary: "{{ $value }} pods know only Linkerd's old trust anchor, which is about to end",
        description:
          'They have not restarted since the new one was announced, and keep the old one from being retired. Their workloads are in status.laggards of the TrustAnchor linkerd: restart them, or let the operator do so (laggards.policy).',
      },
    },
    {
      alert: 'LinkerdTrustAnchorRotationLate',
      expr: 'max(linkerd_trust_anchor_slack_seconds) < 0',
      for: '10m',
      labels: { severity: 'critical' },
      annotations: {
        summary: "What remains of Linkerd's trust anchor is less than its rotation may take",
        description: `Pods that know only the old anchor when it ends cannot talk to the others from then on. ${STOP}`,
      },
    },
    ...endAlerts(critical),
    ...unknownTrustAlerts(),
    {
      alert: 'LinkerdTrustAnchorMetricsMissing',
      expr: 'absent(linkerd_trust_anchor_phase)',
      for: '1h',
      labels: { severity: 'warning' },
      annotations: {
        summary: "No metrics about the rotation of Linkerd's trust anchor",
        description:
          'The operator does not run, has no TrustAnchor, or is not scraped by Prometheus (monitoring of ReconcilerOperator): nobody rotates the anchor, or nobody is told of it.',
      },
    },
  ];
}

/** Alerts on anchors that live too long, or no longer. */
function endAlerts(critical: number): readonly AlertRule[] {
  return [
    {
      alert: 'LinkerdTrustAnchorExtended',
      expr: 'max(linkerd_trust_anchor_extended) == 1',
      for: '10m',
      labels: { severity: 'warning' },
      annotations: {
        summary: "Linkerd's trust anchor was not rotated in time, and lives on by its own key",
        description: `The operator has cert-manager renew the same key, and restarts identity alone: nothing breaks, but the key grows old. ${STOP}`,
      },
    },
    {
      alert: 'LinkerdIdentityCannotIssue',
      expr: 'max(linkerd_trust_anchor_phase{phase="Expired"}) == 1',
      for: '1m',
      labels: { severity: 'critical' },
      annotations: {
        summary: "Linkerd's identity controller issues no certificates",
        description:
          'Proxies keep theirs until these end, within issuanceLifetime; pods that start now get none. The condition Ready of the TrustAnchor linkerd says why (kubectl describe trustanchor linkerd).',
      },
    },
    {
      alert: 'LinkerdTrustAnchorExpiring',
      expr: `${secondsLeft(`name=~"${ANCHOR_NAMES}"`)} < ${seconds(critical)} or linkerd_trust_anchor_expiration_timestamp_seconds{role="Signing"} - time() < ${seconds(critical)}`,
      for: '10m',
      labels: { severity: 'critical' },
      annotations: {
        summary: "A trust anchor of Linkerd's that is in use expires in {{ $value | humanizeDuration }}",
        description: `The whole mesh stops when it does, and it should have been retired by now. ${STOP}`,
      },
    },
  ];
}

/** Alerts on trust that nobody accounts for, also while no rotation goes on. */
function unknownTrustAlerts(): readonly AlertRule[] {
  return [
    {
      alert: 'LinkerdTrustAnchorForeignRoot',
      expr: 'count(linkerd_trust_anchor_expiration_timestamp_seconds{role="Foreign"}) > 0',
      for: '1h',
      labels: { severity: 'warning' },
      annotations: {
        summary: "{{ $value }} roots that the mesh trusts are of none of Linkerd's known trust anchors",
        description: `Whoever has the key of one can issue any identity of the mesh. The condition RootsKnown of the TrustAnchor linkerd names it; kubectl get secrets,configmaps -A -l ${TRUST_ANCHOR_LABEL} lists what roots come from.`,
      },
    },
    {
      alert: 'LinkerdTrustAnchorUnknownPods',
      expr: 'max(linkerd_trust_anchor_laggard_pods) > 0 and max(linkerd_trust_anchor_phase{phase="Stable"}) == 1',
      for: '1h',
      labels: { severity: 'warning' },
      annotations: {
        summary: "{{ $value }} pods may not know Linkerd's trust anchor",
        description:
          'No rotation goes on, and they were given roots that the operator does not remember, or that lack the anchor that signs: others refuse their proxies then. Restart the workloads in status.laggards of the TrustAnchor linkerd.',
      },
    },
  ];
}

function rotationDue(windows: WatchedWindows, anchor: ValidityWindow): AlertRule {
  const { anchorName = ANCHOR } = windows;
  return {
    alert: 'LinkerdTrustAnchorRotationDue',
    expr: `${secondsLeft(selectorOf(windows))} < ${seconds(anchor.renewBefore)}`,
    for: '10m',
    labels: { severity: 'warning' },
    annotations: {
      summary: "Linkerd's trust anchor is to be rotated within {{ $value | humanizeDuration }}",
      description: [
        'Nothing renews it by itself. To renew a Certificate: cmctl renew.',
        '0. Suspend the CronJob that rotates certificates (linkerd-restarter, if there is one) until 5 is done.',
        `1. Copy tls.crt, and only that, of its Secret ${anchorName} into a Secret linkerd-previous-anchor beside it, labelled ${TRUST_ANCHOR_LABEL}=previous.`,
        '2. Renew the Certificate linkerd-identity-issuer.',
        `3. Renew the Certificate ${anchorName}.`,
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
    expr: `${secondsLeft(selectorOf(windows))} < ${seconds(anchor.renewBefore + notice)}`,
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
    expr: `changes((max by (name) (certmanager_certificate_expiration_timestamp_seconds{${selectorOf(windows)}}) > 0)[${range}]) > 0`,
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
