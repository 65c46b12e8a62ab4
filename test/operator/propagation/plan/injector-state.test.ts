import type { Deployment } from '#operator/src/propagation/kinds/deployment';
import type { Pod } from '#operator/src/propagation/objects/pod';
import { injectorState } from '#operator/src/propagation/plan/injector-state';
import { AFTER, BEFORE, HASH, injector, injectorPod, SINCE, VALUE } from '#test/support/operator/propagation-objects';

const NOW = new Date('2026-11-21T09:34:00.700Z');
const OTHER = 'fedcba9876543210';
const MARK = `${HASH}.2`;
const KNOWN = { configHash: HASH, adoptedHash: OTHER };

const state = (of: Deployment | undefined, pods: readonly Pod[] = [], known: object = {}) =>
  injectorState({ injector: of, injectorPods: pods }, { ...KNOWN, ...known }, NOW);
const restarted = (status: Deployment['status'] = {}, spec: Partial<Deployment['spec']> = {}): Deployment => {
  const marked = injector({ annotated: MARK });
  return { ...marked, spec: { ...marked.spec, ...spec }, status: { ...marked.status, ...status } };
};

test('the operator restarts nothing without an injector', () => expect(state(undefined)).toEqual({ kind: 'missing' }));

test('an injector without a restart has the configuration of the adoption', () => {
  expect(state(injector(), [], { adoptedHash: HASH })).toEqual({ kind: 'injecting', injector: injector() });
  expect(state(injector())).toEqual({ kind: 'outdated', injector: injector() });
});

test('the recorded annotation shows that every injector pod has the configuration', () => {
  const recorded = injector({ annotated: MARK, recorded: VALUE });
  expect(state(recorded)).toMatchObject({ kind: 'injecting', injection: { configHash: HASH, since: SINCE } });
});

test('a record of another configuration requires a restart of the injector', () => {
  expect(state(injector({ annotated: MARK, recorded: VALUE }), [], { configHash: OTHER }).kind).toBe('outdated');
  expect(state(injector({ recorded: VALUE }), [], { configHash: OTHER, adoptedHash: OTHER }).kind).toBe('outdated');
});

test('a restart for another configuration requires a restart of the injector', () => {
  expect(state(injector({ annotated: `${OTHER}.2` }), [], { adoptedHash: HASH }).kind).toBe('outdated');
});

test('the status keeps the record after another client replaces the whole injector', () => {
  const previous = { injector: { configHash: HASH, since: SINCE } };
  expect(state(injector(), [], { previous })).toMatchObject({ kind: 'injecting', injection: previous.injector });
  expect(state(injector(), [], { configHash: OTHER, previous }).kind).toBe('outdated');
  expect(state({ ...injector(), status: {} }, [], { previous })).toEqual({
    kind: 'away',
    injection: previous.injector,
  });
});

test.each<[string, Deployment, string]>([
  ['has old pods', restarted({ updatedReplicas: 0 }), '1 new pods exist (0 do)'],
  ['is not observed', restarted({ observedGeneration: 1 }), 'its controller has observed the change'],
  [
    'has no replicas',
    restarted({ replicas: 0, updatedReplicas: 0, availableReplicas: 0 }, { replicas: 0 }),
    'it has replicas',
  ],
  ['is paused', restarted({ updatedReplicas: 0 }, { paused: true }), 'its rollout is resumed'],
])('a restart of an injector that %s is in progress', (_, rolling, until) => {
  expect(state(rolling)).toEqual({ kind: 'rolling', until, overdue: undefined });
});

test('the operator reports a restart of the injector beyond its deadline', () => {
  const conditions = [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded', message: 'too slow' }];
  expect(state(restarted({ updatedReplicas: 0, conditions }))).toMatchObject({ kind: 'rolling', overdue: 'too slow' });
});

test.each([
  ['terminates but serves: rolling', injectorPod('old', { value: `${OTHER}.1`, terminating: true }), 'rolling'],
  ['was restarted earlier for the same configuration: rolling', injectorPod('old', { value: `${HASH}.1` }), 'rolling'],
  ['was never restarted: rolling', injectorPod('old'), 'rolling'],
  ['no longer serves: unrecorded', injectorPod('old', { terminating: true, ready: false }), 'unrecorded'],
  ['is new: unrecorded', injectorPod('new', { value: MARK }), 'unrecorded'],
  ['is new and terminates: unrecorded', injectorPod('new', { value: MARK, terminating: true }), 'unrecorded'],
  ['does not belong to the injector: unrecorded', injectorPod('other', { labels: { app: 'identity' } }), 'unrecorded'],
])('the state of an injector with a pod that %s', (_, other, kind) => {
  expect(state(restarted(), [injectorPod('new', { value: MARK }), other]).kind).toBe(kind);
});

test('the configuration applies to all new pods from the time that every injector pod has it', () => {
  const injection = { configHash: HASH, since: SINCE };
  expect(state(restarted(), [injectorPod('new', { value: MARK, created: BEFORE })])).toMatchObject({ injection });
});

test("the recorded time is not before the creation of any injector pod, even if the operator's clock is late", () => {
  const late = [injectorPod('new', { value: MARK, created: '2026-11-21T09:40:00Z' })];
  expect(state(restarted(), late)).toMatchObject({ injection: { since: '2026-11-21T09:40:00Z' } });
});

test('the recorded time is later than the previous one, even if both are within one second', () => {
  const again = { ...restarted(), metadata: injector({ recorded: VALUE.replace(HASH, 'superseded') }).metadata };
  expect(state(again)).toMatchObject({ kind: 'unrecorded', injection: { since: AFTER } });
});
