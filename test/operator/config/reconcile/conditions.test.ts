import { type ConditionState, conditionsOf } from '#operator/src/config/reconcile/config-status';

const ready: ConditionState = { type: 'Ready', status: 'True', reason: 'InForce', message: 'well' };
const at = { now: new Date('2026-11-02T03:04:05.678Z'), generation: 4 };
const before = { ...ready, lastTransitionTime: '2026-11-01T00:00:00Z', observedGeneration: 3 };

test('a new condition has the present as its transition time, in whole seconds', () => {
  expect(conditionsOf([ready], [], at)).toEqual([
    { ...ready, lastTransitionTime: '2026-11-02T03:04:05Z', observedGeneration: 4 },
  ]);
});

test('a condition keeps its transition time while its status is the same, whatever the reason', () => {
  const [condition] = conditionsOf([{ ...ready, reason: 'Other' }], [before], at);
  expect(condition).toMatchObject({
    lastTransitionTime: '2026-11-01T00:00:00Z',
    reason: 'Other',
    observedGeneration: 4,
  });
});

test('the operator truncates the message of a condition to the limit of Kubernetes', () => {
  expect(conditionsOf([{ ...ready, message: 'x'.repeat(40_000) }], [], at)[0]?.message).toHaveLength(32_768);
});
