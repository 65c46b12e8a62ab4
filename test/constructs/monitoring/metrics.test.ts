import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificatesDashboard } from '#lib/constructs/monitoring/dashboards/certificates';
import type { Dashboard } from '#lib/constructs/monitoring/dashboards/dashboard';
import { meshDashboard } from '#lib/constructs/monitoring/dashboards/mesh';
import { operatorDashboard } from '#lib/constructs/monitoring/dashboards/operator';
import { certificateAlerts } from '#lib/constructs/pki/certificate-alerts';
import { VALID } from '../pki/windows';
import { KNOWN_METRICS } from './known-metrics';
import { rulesOf } from './watched';

const ROOT = join(__dirname, '../../..');

function operatorMetrics(): readonly string[] {
  const own = readFileSync(join(ROOT, 'packages/controller-runtime/telemetry/metrics.ts'), 'utf8');
  const anchor = readFileSync(join(ROOT, 'operator/src/anchor/metrics.ts'), 'utf8');
  const names = [...own.matchAll(/name: '(\w+)'/g)].map(([, name = '']) => name);
  const anchors = [...anchor.matchAll(/gauge\(\s*'(\w+)'/g)].map(([, name]) => `linkerd_trust_anchor_${name}`);
  return [...names, ...names.map((name) => `${name}_bucket`), ...anchors];
}

/** Returns the metrics in an expression: names before braces, and names that a pattern of names matches. */
function metricsIn(expr: string): readonly string[] {
  const patterns = [...expr.matchAll(/__name__=~"inbound_\(http\|tcp\)_authz_(?:\(allow\|deny\)|(\w+))_total"/g)];
  const byPattern = patterns.flatMap(([, decision]) =>
    ['http', 'tcp'].flatMap((protocol) =>
      (decision === undefined ? ['allow', 'deny'] : [decision]).map(
        (each) => `inbound_${protocol}_authz_${each}_total`,
      ),
    ),
  );
  const plain = expr.replaceAll(/"[^"]*"/g, '');
  return [
    ...byPattern,
    ...[...plain.matchAll(/\b([a-zA-Z]\w*_\w+|up|ALERTS)\b(?=\s*[{)[]|\s*\*|\s*$)/g)].map(([, name = '']) => name),
  ];
}

const FUNCTIONS = new Set(['histogram_quantile']);

function queriesOf({ rows }: Dashboard): readonly string[] {
  return rows.flatMap(({ panels }) => panels).flatMap(({ queries }) => queries.map(({ expr }) => expr));
}

const EXPRESSIONS = [
  ...rulesOf().map(({ expr }) => expr),
  ...certificateAlerts({ ...VALID, rotation: 'operator', pemAnchors: [] }).map(({ expr }) => expr),
  ...[
    meshDashboard('linkerd'),
    certificatesDashboard('linkerd', true),
    operatorDashboard('linkerd-reconciler'),
  ].flatMap(queriesOf),
];

test('alerts and dashboards use all known metrics, and no others', () => {
  const known = new Set(Object.values(KNOWN_METRICS).flat());
  const ofOperator = new Set(operatorMetrics());
  const used = new Set(EXPRESSIONS.flatMap(metricsIn).filter((name) => !FUNCTIONS.has(name) && !isLabel(name)));
  expect([...used].filter((name) => !known.has(name) && !ofOperator.has(name))).toEqual([]);
  expect([...known].filter((name) => !used.has(name))).toEqual([]);
});

/** Returns whether a name that looks like a metric is a label in `by (…)`. */
function isLabel(name: string): boolean {
  return /^(srv_\w+|grpc_code|skip_reason|target_cluster_name|enforcement_action)$/.test(name);
}

test('the check of metrics finds a misspelled name', () => {
  expect(metricsIn('sum(rate(gateway_alife{a="b"}[5m])) > 0')).toContain('gateway_alife');
  expect(metricsIn('max by (phase) (linkerd_trust_anchor_phaze) == 1')).toContain('linkerd_trust_anchor_phaze');
});
