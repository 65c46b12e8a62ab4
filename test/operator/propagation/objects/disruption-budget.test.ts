import { budgetLedger, slimBudget } from '#operator/src/propagation/objects/disruption-budget';
import { budget, pod } from '#test/support/operator/propagation-objects';

const web = [pod('a', { labels: { app: 'web' } }), pod('b', { labels: { app: 'web' } })];
const db = [pod('c', { labels: { app: 'db' } })];

test('a budget objects to more than it allows', () => {
  const ledger = budgetLedger([budget('web', 'web', 1)]);
  expect(ledger.objection(web, 1)).toBeUndefined();
  expect(ledger.objection(web, 2)).toBe('PodDisruptionBudget web allows 1 disruptions, it needs 2');
});

test('what was handed out is no longer there', () => {
  const ledger = budgetLedger([budget('web', 'web', 1)]);
  ledger.take(web, 1);
  expect(ledger.objection(web, 1)).toBe('PodDisruptionBudget web allows 0 disruptions, it needs 1');
  expect(ledger.objection(db, 1)).toBeUndefined();
});

test('a restart that takes no pod down needs no PodDisruptionBudget', () => {
  const ledger = budgetLedger([budget('web', 'web', 0)]);
  ledger.take(web, 0);
  expect(ledger.objection(web, 0)).toBeUndefined();
});

test('the strictest of several decides', () => {
  expect(budgetLedger([budget('loose', 'web', 5), budget('strict', 'web', 0)]).objection(web, 1)).toContain('strict');
});

test('one pod that is protected suffices', () => {
  expect(budgetLedger([budget('db', 'db', 0)]).objection([...web, ...db], 1)).toContain('db');
});

test('a budget of another namespace does not matter', () => {
  const other = budget('web', 'web', 0);
  const elsewhere = { ...other, metadata: { ...other.metadata, namespace: 'elsewhere' } };
  expect(budgetLedger([elsewhere]).objection(web, 1)).toBeUndefined();
});

test.each([[{ observedGeneration: 0, disruptionsAllowed: 9 }], [undefined]])(
  'with status %j it allows nothing',
  (status) => {
    expect(budgetLedger([{ ...budget('web', 'web', 9), status }]).objection(web, 1)).toContain('allows 0');
  },
);

test('what is dropped changes no answer', () => {
  const full = budget('web', 'web', 1);
  expect(slimBudget({ ...full, metadata: { ...full.metadata, labels: { big: 'one' } } })).toEqual(full);
});
