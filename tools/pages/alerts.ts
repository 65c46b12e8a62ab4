import { Duration } from 'cdk8s';
import type { PrometheusRule } from '#imports/crds/monitoring.coreos.com';
import type { AlertRule } from '#kubernetes/monitoring';
import { LinkerdMesh, type OwnTrustAnchor, Reference } from '#lib';
import { multiclusterAlerts } from '#lib/constructs/monitoring/multicluster-alerts';
import type { WatchedMesh } from '#lib/constructs/monitoring/watched-mesh';
import { synthesizedObjects } from './mesh-objects';

const VALIDITY = { duration: Duration.days(3650), renewBefore: Duration.days(365) };

/** The set of alerts depends on the kind of rotation of the trust anchor. */
const ANCHORS: readonly OwnTrustAnchor[] = [
  { ...VALIDITY, rotation: 'operator', operator: { bridge: { signedBy: 'Request' } } },
  { ...VALIDITY, rotation: 'manual' },
  { ...VALIDITY, rotation: 'automatic-unsafe' },
];

const LINKED = { multicluster: { namespace: 'linkerd-multicluster', hasGateway: true, targets: ['west'] } };

const INTRODUCTION = `# All alerts

For each alert: its annotations \`summary\` and \`description\`, and its expression in a mesh with the defaults.
[alerts.md](../alerts.md) describes how to find the cause and fix it. \`npm run docs\` generates this page.
`;

/** The document of all alerts. */
export function alertsDocument(): string {
  const rules = [...ANCHORS.flatMap(rulesWith), ...linkRules()];
  const byName = [...Map.groupBy(rules, ({ alert }) => alert)].sort(([a], [b]) => (a < b ? -1 : 1));
  return [INTRODUCTION, ...byName.map(([name, [rule]]) => section(name, rule as AlertRule))].join('\n');
}

const linkRules = (): readonly AlertRule[] =>
  multiclusterAlerts(LINKED as unknown as WatchedMesh).flatMap(({ alerts }) => alerts);

function rulesWith(trustAnchor: OwnTrustAnchor): readonly AlertRule[] {
  const crds = ['podmonitors', 'prometheusrules'].map((name) => Reference.crd(`${name}.monitoring.coreos.com`));
  const objects = synthesizedObjects(
    (home) => {
      new LinkerdMesh(home, 'mesh', {
        crds: { gatewayApi: 'install' },
        monitoring: { namespace: 'monitoring' },
        alerts: {},
        pki: { trustAnchor },
        ...(trustAnchor.rotation === 'operator' && { operator: {} }),
      });
    },
    { external: crds },
  );
  const rules = objects.filter(({ kind }) => kind === 'PrometheusRule') as unknown as readonly PrometheusRule[];
  return rules.flatMap(({ spec }) =>
    (spec.groups ?? []).flatMap(({ rules: found }) => (found ?? []) as unknown as readonly AlertRule[]),
  );
}

function section(name: string, { annotations, labels, expr, for: wait }: AlertRule): string {
  const lines = [
    `## ${name}`,
    `${shown(annotations.summary)}. ${shown(annotations.description)}`,
    [`Severity: ${labels.severity}`, ...(wait === undefined ? [] : [`for ${wait}`]), ...needs(expr)].join(', '),
    `\`\`\`text\n${expr}\n\`\`\``,
  ];
  return `${lines.join('\n\n')}\n`;
}

/** Metrics of other components that an expression needs. */
const needs = (expr: string): readonly string[] => [
  ...(/apiserver_/.test(expr) ? ['needs the metrics of the API server'] : []),
  ...(/kube_/.test(expr) ? ['needs kube-state-metrics'] : []),
];

/** The text of a rule with placeholders instead of template expressions. */
const shown = (text = ''): string =>
  text
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›')
    .replace(/\{\{ \$value[^}]*\}\}/g, '‹value›')
    .replace(/\{\{[^}]*\}\}/g, '…')
    .replace(/[<*_]/g, '\\$&');
