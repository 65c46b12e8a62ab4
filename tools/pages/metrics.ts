import { createMetrics } from '#controller-runtime/telemetry/metrics';
import { anchorMetrics } from '#operator/src/anchor/metrics';
import { table } from './blocks';

const INTRODUCTION = `# Metrics of the operator

The metrics of controllers and webhooks have the names of controller-runtime's, so its dashboards work. Only the leader has
those of the [trust anchor](../trust-anchor.md), and only of what exists, such as a leak. \`npm run docs\` generates this page.
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
