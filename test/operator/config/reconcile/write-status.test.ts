import type { Outcome } from '#operator/src/config/reconcile/config-status';
import { statusOf } from '#operator/src/config/reconcile/config-status';
import type { Attempt } from '#operator/src/config/reconcile/reconcile-context';
import { isStatus } from '#operator/src/config/reconcile/write-status';
import { linkerdConfig } from '#test/support/operator/config-fixture';

const NOW = new Date('2026-11-21T09:34:00Z');
const outcome: Outcome = { is: 'failed', problem: { reason: 'ConfigMapNotFound', message: 'There is none.' } };
const attempt = { clock: () => NOW } as Attempt;
const written = statusOf(linkerdConfig(), outcome, NOW);
const conditions = written.conditions ?? [];

test('the operator does not rewrite a status to remove the condition of another client', () => {
  const theirs = { type: 'Synced', status: 'True', reason: 'Told', message: '', lastTransitionTime: '' } as never;
  const status = { ...written, conditions: [theirs, ...conditions] };
  expect(isStatus(linkerdConfig({ status }), outcome, attempt)).toBe(true);
});
