import { STATEFUL_SET_RULES, type StatefulSet } from '#operator/src/propagation/kinds/stateful-set';
import { HASH, SINCE, statefulSet, VALUE } from '#test/support/operator/propagation-objects';

const partition = (n: number): StatefulSet['spec'] => ({
  replicas: 3,
  updateStrategy: { rollingUpdate: { partition: n } },
  template: {},
});

test.each<[string, Parameters<typeof statefulSet>[1], string | undefined]>([
  ['all pods new and ready', {}, undefined],
  ['an unobserved change', { status: { observedGeneration: 1 } }, 'its controller has observed the change'],
  ['pods not ready', { status: { readyReplicas: 2 } }, '3 pods are ready (2 are)'],
  ['old pods', { status: { updateRevision: 'b', updatedReplicas: 1 } }, 'all pods are of the new revision (1 are)'],
  ['an incomplete partition', { spec: partition(1), status: { updatedReplicas: 1 } }, '2 new pods exist (1 do)'],
  ['a complete partition', { spec: partition(1), status: { updatedReplicas: 2, updateRevision: 'b' } }, undefined],
])('the condition that a rollout of a StatefulSet with %s waits for: %j -> %p', (_, parts, expected) => {
  expect(STATEFUL_SET_RULES.missing(statefulSet('db', parts))).toBe(expected);
});

test.each<[StatefulSet['spec']['updateStrategy'], StatefulSet['status'], number]>([
  [undefined, {}, 1],
  [undefined, { readyReplicas: 2 }, 0],
  [{ rollingUpdate: { maxUnavailable: 2 } }, {}, 2],
  [{ rollingUpdate: { maxUnavailable: '34%' } }, {}, 2],
])(
  'a StatefulSet of 3 pods, with strategy %j and status %j, takes down at most %p',
  (updateStrategy, status, expected) => {
    const db = statefulSet('db', { spec: { replicas: 3, updateStrategy, template: {} }, status });
    expect(STATEFUL_SET_RULES.takesDown(db)).toBe(expected);
  },
);

test.each<[StatefulSet['spec']['updateStrategy'], string | undefined]>([
  [undefined, undefined],
  [{ type: 'RollingUpdate', rollingUpdate: { partition: 0 } }, undefined],
  [{ type: 'RollingUpdate', rollingUpdate: { partition: 2 } }, 'partial'],
  [{ type: 'OnDelete' }, 'manual'],
])('the kind of hold on a StatefulSet with strategy %j (undefined: none): %p', (updateStrategy, expected) => {
  expect(STATEFUL_SET_RULES.hold(statefulSet('db', { spec: { updateStrategy, template: {} } }))?.kind).toBe(expected);
});

test('the operator restarts a StatefulSet by a change of its pod template, and decides the same without the fields that the cache omits', () => {
  const full = statefulSet('db', { value: VALUE, spec: partition(1), status: { updateRevision: 'b' } });
  const slim = STATEFUL_SET_RULES.slim({ ...full, metadata: { ...full.metadata, labels: { big: 'one' } } });
  expect(slim).toEqual(full);
  expect(STATEFUL_SET_RULES.carries(slim, { configHash: HASH, since: SINCE })).toBe(true);
  expect(STATEFUL_SET_RULES.restart({ configHash: HASH, since: SINCE })).toEqual({ template: full.spec.template });
});
