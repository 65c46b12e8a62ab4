import { proxyCertificates } from '../proxy-alerts';
import { type Dashboard, lines, number, type Panel, type Row } from './dashboard';

/** Returns the dashboard of certificates and of the rotation of the trust anchor. */
export function certificatesDashboard(namespace: string, isOperated: boolean): Dashboard {
  return {
    uid: 'cdk8s-linkerd-certificates',
    title: 'Linkerd / Certificates',
    variables: [],
    rows: [...(isOperated ? [rotation()] : []), certificates(), leaves(namespace)],
  };
}

function rotation(): Row {
  const phases: Panel = {
    title: 'Phase of the rotation',
    kind: 'state-timeline',
    unit: 'short',
    queries: [{ expr: 'max by (phase) (linkerd_trust_anchor_phase) == 1', legend: '{{phase}}' }],
    width: 24,
  };
  return {
    title: 'Trust anchor',
    panels: [
      phases,
      number('Next rotation', 'dateTimeFromNow', 'max(linkerd_trust_anchor_next_rotation_timestamp_seconds) * 1000'),
      number('Needs attention', 'bool_yes_no', 'max(linkerd_trust_anchor_stuck)'),
      number('Renewed with the same key', 'bool_yes_no', 'max(linkerd_trust_anchor_extended)'),
      number(
        'Unknown roots',
        'short',
        'count(linkerd_trust_anchor_expiration_timestamp_seconds{role="Foreign"}) or vector(0)',
      ),
      number('Pods that lack the next anchor', 'short', 'max(linkerd_trust_anchor_laggard_pods)'),
      number('Slack', 's', 'max(linkerd_trust_anchor_slack_seconds)'),
      lines('Remaining lifetime of anchors', 's', {
        expr: 'max by (generation, role) (linkerd_trust_anchor_expiration_timestamp_seconds) - time()',
        legend: '{{role}} {{generation}}',
      }),
      lines('Pods that lack the next anchor', 'short', {
        expr: 'max(linkerd_trust_anchor_laggard_pods)',
        legend: 'pods',
      }),
      lines('Slack', 's', { expr: 'max(linkerd_trust_anchor_slack_seconds)', legend: 'slack' }),
    ],
  };
}

/** Selects the mesh's Certificates by name: without honorLabels, their label `namespace` is that of cert-manager. */
const CERTIFICATES = [
  'name=~"linkerd-trust-anchor.*|linkerd-(identity|webhook)-issuer"',
  'issuer_name="linkerd-webhook-issuer"',
];

function certificates(): Row {
  const all = (metric: string, more = '') =>
    `(${CERTIFICATES.map((selector) => `${metric}{${selector}${more}}`).join(' or ')})`;
  const left: Panel = {
    title: 'Remaining lifetime',
    kind: 'bargauge',
    unit: 's',
    queries: [
      {
        expr: `max by (name) ((${all('certmanager_certificate_expiration_timestamp_seconds')} > 0) - time())`,
        legend: '{{name}}',
      },
    ],
    width: 12,
  };
  return {
    title: 'Certificates',
    panels: [
      left,
      lines('Remaining lifetime', 's', {
        expr: `max by (name) ((${all('certmanager_certificate_expiration_timestamp_seconds')} > 0) - time())`,
        legend: '{{name}}',
      }),
      lines('Time until the renewal', 's', {
        expr: `max by (name) ((${all('certmanager_certificate_renewal_timestamp_seconds')} > 0) - time())`,
        legend: '{{name}}',
      }),
      lines('Certificates that are not ready', 'short', {
        expr: `max by (name) (${all('certmanager_certificate_ready_status', ',condition="True"')} == 0) + 1`,
        legend: '{{name}}',
      }),
    ],
  };
}

function leaves(namespace: string): Row {
  const mesh = `control_plane_ns="${namespace}"`;
  return {
    title: 'Certificates in use',
    panels: [
      lines('Remaining lifetime of the issuer in use, by pod', 's', {
        expr: `issuer_cert_ttl_seconds{namespace="${namespace}"}`,
        legend: '{{pod}}',
      }),
      lines(
        "Shortest and longest remaining lifetime of proxies' certificates",
        's',
        ...(['min', 'max'] as const).map((end) => ({
          expr: `${end}((${proxyCertificates(mesh)} > 0) - time())`,
          legend: end,
        })),
      ),
    ],
  };
}
