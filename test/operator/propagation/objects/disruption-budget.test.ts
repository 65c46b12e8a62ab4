import { budgetLedger, slimBudget } from '#operator/src/propagation/objects/disruption-budget';
import { budget, pod } from '#test/support/operator/propagation-objects';

const web = [pod('a', { labels: { app: 'web' } }), pod('b', { labels: { app: 'web' } })];
const db = [pod('c', { labels: { app: 'db' } })];

test('a PodDisruptionBudget blocks more disruptions than it allows', () => {
  const ledger = budgetLedger([budget('web', 'web', 1)]);
  expect(ledger.objection(web, 1)).toBeUndefined();
  expect(ledger.objection(web, 2)).toBe('PodDisruptionBudget web allows 1 disruptions, the restart needs 2');
});

test('a disruption that one workload takes from a budget is not available to others', () => {
  const ledger = budgetLedger([budget('web', 'web', 1)]);
  ledger.take(web, 1);
  expect(ledger.objection(web, 1)).toBe('PodDisruptionBudget web allows 0 disruptions, the restart needs 1');
  expect(ledger.objection(db, 1)).toBeUndefined();
});

test('a PodDisruptionBudget blocks a restart if it protects one of the pods', () => {
  expect(budgetLedger([budget('db', 'db', 0)]).objection([...web, ...db], 1)).toContain('db');
});

test.each([[{ observedGeneration: 0, disruptionsAllowed: 9 }], [undefined]])(
  'a PodDisruptionBudget with the outdated or missing status %j allows no disruption',
  (status) => expect(budgetLedger([{ ...budget('web', 'web', 9), status }]).objection(web, 1)).toContain('allows 0'),
);

test('the PodDisruptionBudget fields that the cache drops do not change any decision', () => {
  const full = budget('web', 'web', 1);
  expect(slimBudget({ ...full, metadata: { ...full.metadata, labels: { big: 'one' } } })).toEqual(full);
});
