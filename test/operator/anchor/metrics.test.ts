import { Registry } from 'prom-client';
import type { AnchorPlan } from '#anchor/plan';
import { anchorMetrics } from '#operator/src/anchor/metrics';

const PLAN: AnchorPlan = { phase: 'Bridged', milestones: [], actions: [], laggards: { pods: 0 }, memory: {} } as never;

async function metricsOf(plan: Partial<AnchorPlan>): Promise<string> {
  const registry = new Registry();
  anchorMetrics(registry).set({ plan: { ...PLAN, ...plan }, anchors: [], isStuck: false });
  return registry.metrics();
}

test.each([
  ['holds', true, 1],
  ['does not hold, because the key is elsewhere', false, 0],
])('the metric of an extended anchor is set only if its milestone %s', async (_, status, value) => {
  const milestone = { type: 'Extended', status, reason: 'KeyElsewhere', message: '' } as const;
  expect(await metricsOf({ milestones: [milestone] })).toContain(`\nlinkerd_trust_anchor_extended ${value}\n`);
});

test('an outage of identity has a metric in each phase of a rotation', async () => {
  const outage = { reason: 'IssuerExpired', message: '' } as const;
  const metrics = await metricsOf({ outage });
  expect(metrics).toContain('\nlinkerd_trust_anchor_identity_outage 1\n');
  expect(metrics).toContain('\nlinkerd_trust_anchor_phase{phase="Bridged"} 1\n');
  expect(await metricsOf({})).toContain('\nlinkerd_trust_anchor_identity_outage 0\n');
});
