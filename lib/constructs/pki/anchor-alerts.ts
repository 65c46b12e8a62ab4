import { ANCHOR, NAMED_GENERATIONS, TRUST_ANCHOR_LABEL } from '#anchor/trust-anchor';
import { DAY } from '#base/time-units';
import type { AlertRule } from '#kubernetes/monitoring';
import { alertRule } from '#kubernetes/monitoring';
import { durationText } from '#kubernetes/options/duration-like';
import { leafReach } from '../../checks/linkerd/identity-issuer-check';
import { seconds, secondsLeft, type WatchedWindows } from './expiry-alert';
import type { AnchorCertificate } from './trust-roots';
import type { ValidityWindow } from './validity';

function selectorOf({ anchorName = ANCHOR }: WatchedWindows): string {
  return `name="${anchorName}"`;
}

/** Possible names of Certificates for anchors that an operator rotates, as a regular expression. */
export const ANCHOR_NAMES = `linkerd-trust-anchor(-[1-${NAMED_GENERATIONS}])?`;

const WEEK = 7 * DAY;

/** Returns alerts on an anchor that cert-manager issued. */
export function anchorAlerts(windows: WatchedWindows, anchor: ValidityWindow): readonly AlertRule[] {
  const needed = windows.identityIssuer.duration;
  const critical = needed + (anchor.renewBefore - needed) / 4;
  if (windows.rotation === 'operator') {
    return [
      ...operatedAnchorAlerts(windows, anchor.renewBefore, critical),
      ...(windows.signsBridges ? signatureAlerts() : []),
    ];
  }
  return [
    windows.rotation === 'automatic-unsafe' ? renewalComing(windows, anchor) : rotationDue(windows, anchor),
    alertRule({
      alert: 'LinkerdTrustAnchorExpiring',
      expr: `${secondsLeft(selectorOf(windows))} < ${seconds(critical)}`,
      for: '10m',
      severity: 'critical',
      summary: "Linkerd's trust anchor expires in {{ $value | humanizeDuration }}",
      description: `Once it has expired, identity issues no certificates, and the whole mesh stops within issuanceLifetime. In its last ${durationText(needed)}, it signs identity issuers that outlive it.`,
    }),
    renewed(windows),
  ];
}

const STOP =
  'The conditions of the TrustAnchor linkerd show what the rotation waits for (kubectl describe trustanchor linkerd). Nothing breaks until the anchor expires.';

function operatedAnchorAlerts(windows: WatchedWindows, renewBefore: number, critical: number): readonly AlertRule[] {
  return [
    alertRule({
      alert: 'LinkerdTrustAnchorRotationOverdue',
      // A maintenance window for rotations opens at least once a week.
      expr: `max(linkerd_trust_anchor_phase{phase="Stable"}) == 1 and max(linkerd_trust_anchor_next_rotation_timestamp_seconds) > 0 and time() - max(linkerd_trust_anchor_next_rotation_timestamp_seconds) > ${seconds(8 * DAY)}`,
      for: '1h',
      severity: 'warning',
      summary: "The rotation of Linkerd's trust anchor was due more than a week ago and has not started",
      description: `The operator is paused, or refuses to start the rotation. ${STOP}`,
    }),
    alertRule({
      alert: 'LinkerdTrustAnchorRotationBlocked',
      expr: 'max(linkerd_trust_anchor_stuck) == 1',
      for: '1h',
      severity: 'warning',
      summary: "The rotation of Linkerd's trust anchor does not progress",
      description: STOP,
    }),
    rotationStalled(windows),
    alertRule({
      alert: 'LinkerdTrustAnchorLaggards',
      expr: `max(linkerd_trust_anchor_laggard_pods) > 0 and max(linkerd_trust_anchor_slack_seconds) < ${seconds(renewBefore / 4)} and max(linkerd_trust_anchor_phase{phase="Stable"}) == 0`,
      for: '1h',
      severity: 'warning',
      summary: "{{ $value }} pods trust only Linkerd's old trust anchor, which expires soon",
      description:
        'They have not restarted since the new anchor was added to the bundle, so the old one cannot be retired. Restart the workloads in status.laggards of the TrustAnchor linkerd, or let the operator restart them (laggards.policy).',
    }),
    alertRule({
      alert: 'LinkerdTrustAnchorRotationLate',
      expr: 'max(linkerd_trust_anchor_slack_seconds) < 0',
      for: '10m',
      severity: 'critical',
      summary: "Linkerd's trust anchor may expire before its rotation completes",
      description: `Once the old anchor has expired, identity may issue no certificates, and pods that know only this anchor may reject other pods. ${STOP}`,
    }),
    ...endAlerts(critical),
    ...compromisedAlerts(),
    ...unknownTrustAlerts(),
    alertRule({
      alert: 'LinkerdTrustAnchorMetricsMissing',
      expr: 'absent(linkerd_trust_anchor_phase)',
      for: '1h',
      severity: 'warning',
      summary: "No metrics about the rotation of Linkerd's trust anchor",
      description:
        'The operator does not run, has no TrustAnchor, or is not scraped by Prometheus (monitoring of ReconcilerOperator): the anchor is not rotated, or no alert reports on its rotation.',
    }),
  ];
}

/** The longest step waits until the last certificate of the old anchor expires. A day later the rotation is stalled. */
function rotationStalled(windows: WatchedWindows): AlertRule {
  return alertRule({
    alert: 'LinkerdTrustAnchorRotationStalled',
    // Other alerts report that the rotation waits for pods or for a signature.
    expr: 'max by (phase) (linkerd_trust_anchor_phase{phase!~"Stable|Expired|Compromised"}) == 1 unless on () (max(linkerd_trust_anchor_laggard_pods) > 0 or max(linkerd_trust_anchor_signature_awaited) == 1)',
    for: `${seconds(leafReach(windows) + DAY)}s`,
    severity: 'warning',
    summary:
      "The rotation of Linkerd's trust anchor has been in phase {{ $labels.phase }} for longer than any step takes",
    description: `The rotation is paused, or an abort cannot complete: the condition Returned shows the reason. ${STOP}`,
  });
}

function signatureAlerts(): readonly AlertRule[] {
  const how =
    'cdk8s-linkerd anchor request prints the request and how to sign it; cdk8s-linkerd anchor answer prints the ConfigMap with the signed certificate.';
  return [
    alertRule({
      alert: 'LinkerdTrustAnchorSignatureNeeded',
      expr: 'max(linkerd_trust_anchor_signature_awaited) == 1',
      for: '1h',
      severity: 'warning',
      summary: 'The next trust anchor of Linkerd waits to be signed with the key of the current one',
      description: `That key is not in the cluster. ${how}`,
    }),
    alertRule({
      alert: 'LinkerdTrustAnchorSignatureLate',
      expr: `max(linkerd_trust_anchor_signature_deadline_timestamp_seconds) - time() < ${seconds(DAY)} and max(linkerd_trust_anchor_signature_awaited) == 1`,
      for: '1m',
      severity: 'critical',
      summary:
        'The next trust anchor of Linkerd has not been signed, and the deadline is less than a day away or has passed',
      description: `After the deadline, only a restart of all meshed workloads is fast enough: with bridge.ifUnsigned Restart, the operator restarts them. ${how}`,
    }),
  ];
}

function endAlerts(critical: number): readonly AlertRule[] {
  return [
    alertRule({
      alert: 'LinkerdTrustAnchorExtended',
      expr: 'max(linkerd_trust_anchor_extended) == 1',
      for: '10m',
      severity: 'warning',
      summary: "Linkerd's trust anchor was not rotated in time, and was renewed with the same key",
      description: `cert-manager reissues it for the operator with the same key, and only identity restarts: nothing breaks, but the key gets older. ${STOP}`,
    }),
    alertRule({
      alert: 'LinkerdIdentityCannotIssue',
      expr: 'max(linkerd_trust_anchor_identity_outage) == 1',
      for: '1m',
      severity: 'critical',
      summary: "Linkerd's identity controller issues no certificates",
      description:
        'Proxies keep their certificates until they expire, within issuanceLifetime; new pods get none. The condition Ready of the TrustAnchor linkerd shows the reason (kubectl describe trustanchor linkerd).',
    }),
    alertRule({
      alert: 'LinkerdTrustAnchorExpiring',
      expr: `${secondsLeft(`name=~"${ANCHOR_NAMES}"`)} < ${seconds(critical)} or linkerd_trust_anchor_expiration_timestamp_seconds{role="Signing"} - time() < ${seconds(critical)}`,
      for: '10m',
      severity: 'critical',
      summary: 'A trust anchor that Linkerd uses expires in {{ $value | humanizeDuration }}',
      description: `It should be retired by now. Once it has expired, identity refuses issuers that it signed, and issues no certificates with them. ${STOP}`,
    }),
  ];
}

function compromisedAlerts(): readonly AlertRule[] {
  const trusted = '(max(linkerd_trust_anchor_compromised_pods) + max(linkerd_trust_anchor_compromised_in_bundle))';
  const how =
    'The condition Distrusted of the TrustAnchor linkerd shows what the operator waits for, and status.compromised lists the workloads (kubectl describe trustanchor linkerd).';
  return [
    alertRule({
      alert: 'LinkerdTrustAnchorCompromised',
      expr: `max(linkerd_trust_anchor_compromised_pods) > 0 or max(linkerd_trust_anchor_compromised_in_bundle) > 0`,
      severity: 'critical',
      summary: "Pods, or the bundle for new pods, trust a leaked key of Linkerd's trust anchor",
      description: `Anyone with this key can impersonate every workload to these pods. The operator replaces the anchor, and restarts pods until none trusts the key. ${how}`,
    }),
    alertRule({
      alert: 'LinkerdTrustAnchorCompromisedLate',
      expr: `${trusted} > 0 and time() > max(linkerd_trust_anchor_compromised_deadline_timestamp_seconds)`,
      severity: 'critical',
      summary: "A leaked key of Linkerd's trust anchor is still trusted after the deadline",
      description: `The deadline is status.compromised.until. Possible causes: pods that no controller recreates, PodDisruptionBudgets that permit no restart, laggards.policy Never, spec.paused, or another cluster. ${how}`,
    }),
  ];
}

function unknownTrustAlerts(): readonly AlertRule[] {
  return [
    alertRule({
      alert: 'LinkerdTrustAnchorForeignRoot',
      expr: 'count(linkerd_trust_anchor_expiration_timestamp_seconds{role="Foreign"}) > 0',
      for: '1h',
      severity: 'warning',
      summary: 'The mesh trusts {{ $value }} roots that belong to no known trust anchor of Linkerd',
      description: `The owner of such a root's key can issue any identity of the mesh. The condition RootsKnown of the TrustAnchor linkerd names the roots; kubectl get secrets,configmaps -A -l ${TRUST_ANCHOR_LABEL} lists their sources.`,
    }),
    alertRule({
      alert: 'LinkerdTrustAnchorPairsRefused',
      expr: 'max(linkerd_trust_anchor_pairs{result="refused"}) > 0',
      // Two probes outside rotations: during a single one, a proxy may be about to renew its certificate.
      for: '20m',
      severity: 'warning',
      summary: 'Proxies present certificates that other pods of the mesh refuse',
      description:
        'The operator asks samples of proxies for their certificates, and verifies these with the trust anchors that pods carry. The condition PairsVerified of the TrustAnchor linkerd names the proxies and the reason (kubectl describe trustanchor linkerd). Requests between them and pods with these anchors fail.',
    }),
    alertRule({
      alert: 'LinkerdTrustAnchorUnknownPods',
      expr: 'max(linkerd_trust_anchor_laggard_pods) > 0 and max(linkerd_trust_anchor_phase{phase="Stable"}) == 1',
      for: '1h',
      severity: 'warning',
      summary: "{{ $value }} pods may not trust Linkerd's trust anchor",
      description:
        'No rotation is in progress, and these pods have roots that the operator does not know, or that lack the signing anchor; in that case they and other pods reject each other. Restart the workloads in status.laggards of the TrustAnchor linkerd.',
    }),
  ];
}

function rotationDue(windows: WatchedWindows, anchor: ValidityWindow): AlertRule {
  const { anchorName = ANCHOR } = windows;
  return alertRule({
    alert: 'LinkerdTrustAnchorRotationDue',
    expr: `${secondsLeft(selectorOf(windows))} < ${seconds(anchor.renewBefore)}`,
    for: '10m',
    severity: 'warning',
    summary: "Linkerd's trust anchor must be rotated within {{ $value | humanizeDuration }}",
    description: [
      'Nothing renews it automatically. To renew a Certificate, use cmctl renew.',
      '0. Suspend the CronJob that rotates certificates (linkerd-restarter), if there is one, until step 5 is done.',
      `1. Copy only tls.crt of its Secret ${anchorName} into a Secret linkerd-previous-anchor in the same namespace, with the label ${TRUST_ANCHOR_LABEL}=previous.`,
      '2. Renew the Certificate linkerd-identity-issuer.',
      `3. Renew the Certificate ${anchorName}.`,
      `4. ${restart(windows)}`,
      '5. Renew linkerd-identity-issuer again, wait until all proxies have certificates from it, and delete linkerd-previous-anchor.',
    ].join('\n'),
  });
}

function renewalComing(windows: WatchedWindows, anchor: ValidityWindow): AlertRule {
  const notice = Math.min(WEEK, (anchor.duration - anchor.renewBefore) / 4);
  return alertRule({
    alert: 'LinkerdTrustAnchorRenewalComing',
    expr: `${secondsLeft(selectorOf(windows))} < ${seconds(anchor.renewBefore + notice)}`,
    for: '10m',
    severity: 'warning',
    summary: `cert-manager renews Linkerd's trust anchor within ${durationText(notice)}`,
    description: `After the renewal: ${restart(windows)}`,
  });
}

function renewed(windows: WatchedWindows): AlertRule {
  const range = `${seconds(windows.identityIssuer.duration)}s:5m`;
  return alertRule({
    alert: 'LinkerdTrustAnchorRenewed',
    // The maximum hides the new series of a restarted cert-manager; an anchor that was never issued has 0.
    expr: `changes((max by (name) (certmanager_certificate_expiration_timestamp_seconds{${selectorOf(windows)}}) > 0)[${range}]) > 0`,
    severity: windows.rotation === 'automatic-unsafe' ? 'critical' : 'warning',
    summary: "Linkerd's trust anchor was renewed",
    description: `${restart(windows)} If the Certificate linkerd-identity-issuer is renewed before that, the mesh breaks.`,
  });
}

/** Pods must restart before cert-manager renews the issuer, which the new anchor then signs. */
function restart({ identityIssuer }: WatchedWindows): string {
  const time = durationText(identityIssuer.duration - identityIssuer.renewBefore);
  return `Restart the control plane, then every meshed workload, before cert-manager renews the identity issuer, ${time} after its last renewal.`;
}

/** Returns alerts on anchors that exist only in Git: their dates are known at synth. */
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
  return alertRule({
    alert: 'LinkerdTrustAnchorExpiring',
    expr: `vector(${seconds(anchor.notAfter.getTime())}) - time() < ${seconds(lead)}`,
    severity,
    labels: { anchor: anchor.subject },
    summary: `Linkerd's trust anchor ${anchor.subject} expires in {{ $value | humanizeDuration }}`,
    description:
      'Add its successor to the certificates in Git, restart all meshed workloads, let the successor sign the identity issuer, then remove this anchor.',
  });
}
