import { createMetrics } from '#controller-runtime/telemetry/metrics';
import { anchorMetrics } from '#operator/src/anchor/metrics';
import { table } from './blocks';

const INTRODUCTION = `# Metrics of the operator

Metrics of controllers and webhooks have the same names as in controller-runtime, so its dashboards work. Only the leader
exports the metrics of the [trust anchor](../trust-anchor.md). Some exist only while they have a value, such as those of a
leak. \`npm run docs\` generates this page.
`;

/** The document of the operator's metrics. */
export function metricsDocument(): string {
  const { registry } = createMetrics();
  anchorMetrics(registry);
  const rows = registry.getMetricsAsArray().map(({ name, help }) => [`\`${name}\``, help]);
  return `${INTRODUCTION}\n${table(
    ['metric', 'what it shows'],
    rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )}\n`;
}
