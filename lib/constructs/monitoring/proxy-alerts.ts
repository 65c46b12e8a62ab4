import { alertRule } from '#kubernetes/monitoring';
import { seconds } from '../pki/expiry-alert';
import { type AlertGroup, type MeshAlert, promDuration, type WatchedMesh } from './watched-mesh';

/**
 * Returns the PromQL for the expiry of proxies' certificates, which is 0 without a certificate. Proxies of Linkerd 2.14
 * use another name for the metric (linkerd2-proxy, linkerd/identity/src/metrics.rs and linkerd/app/src/lib.rs).
 */
export function proxyCertificates(matchers: string): string {
  const metric = 'identity_cert_expiration_timestamp_seconds';
  return `(control_${metric}{${matchers}} or ${metric}{${matchers}})`;
}

/** Returns the alerts on proxies, and on their denials. */
export function proxyAlerts(mesh: WatchedMesh): readonly AlertGroup[] {
  return [
    { name: 'linkerd-proxies', alerts: [withoutIdentity(mesh), certificateExpiring(mesh), outdated(mesh)] },
    { name: 'linkerd-policy', alerts: [denialsIncreased(mesh), denialsHigh(mesh)] },
  ];
}

function ofMesh({ namespace }: WatchedMesh): string {
  return `control_plane_ns="${namespace}"`;
}

function withoutIdentity(mesh: WatchedMesh): MeshAlert {
  return alertRule({
    alert: 'LinkerdProxyWithoutIdentity',
    expr: `count by (namespace) (${proxyCertificates(ofMesh(mesh))} == 0) > 0`,
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} proxies of namespace {{ $labels.namespace }} have no certificate',
    description:
      'Their pods do not become ready. Identity does not respond or refuses them, or they do not trust the anchor that it signs with. Their logs have the reason.',
  });
}

function certificateExpiring(mesh: WatchedMesh): MeshAlert {
  const left = `(${proxyCertificates(ofMesh(mesh))} > 0) - time()`;
  return alertRule({
    alert: 'LinkerdProxyCertificateExpiring',
    expr: `count by (namespace) (${left} < ${seconds(mesh.thresholds.certificateRemaining)}) > 0`,
    for: '5m',
    severity: 'critical',
    summary: '{{ $value }} proxies of namespace {{ $labels.namespace }} have not renewed their certificates',
    description:
      'Proxies renew them when 30 % of their lifetime is left. Once they expire, these pods can neither call nor be called in the mesh.',
  });
}

/** Compares with the proxies of the control plane, which restart when it is upgraded. */
function outdated(mesh: WatchedMesh): MeshAlert {
  const { namespace, thresholds } = mesh;
  const proxies = `proxy_build_info{${ofMesh(mesh)}}`;
  const own = `proxy_build_info{${ofMesh(mesh)},namespace="${namespace}"}`;
  return alertRule({
    alert: 'LinkerdProxyOutdated',
    expr: `count by (namespace, version) (${proxies} unless on (version) ${own}) and on () count(${own})`,
    for: promDuration(thresholds.outdatedFor),
    severity: 'warning',
    summary:
      '{{ $value }} proxies of namespace {{ $labels.namespace }} are of version {{ $labels.version }}, unlike those of the control plane',
    description:
      'They were injected by another release of Linkerd. They get the current proxy when their workloads restart.',
  });
}

const SERVER = 'namespace, srv_kind, srv_name';

/** `rate` may cover both metrics: HTTP series have labels of a route, so their labels differ from those of TCP. */
function decisions(mesh: WatchedMesh, decision: string, offset = ''): string {
  const name = `__name__=~"inbound_(http|tcp)_authz_${decision}_total"`;
  return `sum by (${SERVER}) (rate({${name},${ofMesh(mesh)}}[5m]${offset}))`;
}

function denialsIncreased(mesh: WatchedMesh): MeshAlert {
  const { denialsRate, denialsGrowth, denialsBefore } = mesh.thresholds;
  const offset = ` offset ${promDuration(denialsBefore)}`;
  const now = decisions(mesh, 'deny');
  const before = decisions(mesh, 'deny', offset);
  return alertRule({
    alert: 'LinkerdDenialsIncreased',
    expr: [
      `${now} > ${denialsRate}`,
      `unless ${now} <= ${denialsGrowth} * ${before}`,
      // Earlier denials are unknown for proxies that Prometheus did not scrape at that time.
      `and on (namespace) count by (namespace) (proxy_build_info{${ofMesh(mesh)}}${offset})`,
    ].join(' '),
    for: '5m',
    severity: 'warning',
    summary:
      '{{ $labels.srv_kind }} {{ $labels.srv_name }} in namespace {{ $labels.namespace }} denies more than before',
    description:
      'It denies {{ $value | humanize }} requests or connections a second: a policy has changed, or a client has a new identity or none.',
  });
}

function denialsHigh(mesh: WatchedMesh): MeshAlert {
  const { denialsRate, denialsShare } = mesh.thresholds;
  const denied = decisions(mesh, 'deny');
  return alertRule({
    alert: 'LinkerdDenialsHigh',
    expr: `${denied} / ${decisions(mesh, '(allow|deny)')} > ${denialsShare} and ${denied} > ${denialsRate}`,
    for: '15m',
    severity: 'warning',
    summary:
      '{{ $labels.srv_kind }} {{ $labels.srv_name }} in namespace {{ $labels.namespace }} denies {{ $value | humanizePercentage }} of its requests or connections',
    description:
      'A client that should be allowed is missing in a policy, or a client calls a service that it may not call.',
  });
}
