import type { AssessedWorkload, RolloutState } from '#operator/src/propagation/plan/assess';
import { MAX_INCOMPLETE, nextWave, type WaveLimits } from '#operator/src/propagation/plan/wave';
import { AFTER, budget, deployment, pod } from '#test/support/operator/propagation-objects';

/** A workload whose restart disrupts two pods at a time. */
function item(name: string, state: RolloutState): AssessedWorkload {
  const spec = { replicas: 3, strategy: { rollingUpdate: { maxUnavailable: 2 } }, template: {} };
  const pods = [pod(`${name}-0`, { labels: { app: name } })];
  return { id: name, workload: deployment(name, { spec }), pods, state };
}
const stale = (name: string) => item(name, { kind: 'stale', takesNoSlot: false });
const unsettled = (name: string) => item(name, { kind: 'stale', unsettled: 'it is healthy', takesNoSlot: false });
const manual = (name: string) => item(name, { kind: 'stale', takesNoSlot: true });
const restarting = (name: string, overdue?: string) =>
  item(name, { kind: 'restarting', since: AFTER, until: 'it is complete', overdue });
const held = (name: string) => item(name, { kind: 'held', why: 'it is paused' });

function next(items: readonly AssessedWorkload[], limits: Partial<WaveLimits> = {}) {
  const wave = nextWave(items, {
    maxUnavailableWorkloads: 1,
    budgets: [],
    begun: new Map(),
    unseen: [],
    rejections: new Map(),
    ...limits,
  });
  return { ...wave, chosen: wave.chosen.map(({ id }) => id), restarting: wave.restarting.map(({ id }) => id) };
}

test('the operator restarts stale workloads in order, a limited number at a time', () => {
  const items = [stale('c'), stale('a'), stale('b')];
  expect(next(items)).toMatchObject({ chosen: ['a'], queued: 2 });
  expect(next(items, { maxUnavailableWorkloads: 2 })).toMatchObject({ chosen: ['a', 'b'], queued: 1 });
});

test('workloads that restart take up slots', () => {
  expect(next([stale('a'), restarting('b')])).toMatchObject({ chosen: [], restarting: ['b'], queued: 1 });
  expect(next([stale('a'), restarting('b')], { maxUnavailableWorkloads: 2 })).toMatchObject({ chosen: ['a'] });
});

test('a stuck workload stops all others, however many slots are free', () => {
  expect(next([stale('a'), restarting('b', 'too slow'), manual('c')], { maxUnavailableWorkloads: 9 })).toMatchObject({
    chosen: [],
    stuck: [{ id: 'b', why: 'too slow' }],
    queued: 2,
  });
});

test('a workload that is held back does not stop others', () => {
  expect(next([held('a'), stale('b')])).toMatchObject({ chosen: ['b'], waiting: [{ id: 'a', why: 'it is paused' }] });
});

test('a workload whose pods are deleted by hand takes no slot', () => {
  expect(next([manual('a'), manual('b'), stale('c'), restarting('d')])).toMatchObject({
    chosen: ['a', 'b'],
    queued: 1,
  });
});

test('a workload whose pods are deleted by hand uses neither a budget nor the only slot', () => {
  const both = { ...budget('both', '', 2), spec: { selector: {} } };
  expect(next([manual('a'), stale('b')], { budgets: [both] })).toMatchObject({ chosen: ['a', 'b'] });
});

test('a workload that is blocked by its budget lets the next one restart', () => {
  expect(next([stale('a'), stale('b')], { budgets: [budget('a', 'a', 1)] })).toMatchObject({
    chosen: ['b'],
    waiting: [{ id: 'a', why: 'PodDisruptionBudget a allows 1 disruptions, the restart needs 2' }],
    queued: 0,
  });
  expect(next([stale('a')], { budgets: [budget('a', 'a', 2)] })).toMatchObject({ chosen: ['a'] });
});

test('a workload that disrupts no pods needs no budget', () => {
  expect(next([manual('a')], { budgets: [budget('a', 'a', 0)] })).toMatchObject({ chosen: ['a'] });
});

test.each([
  ['restart at the same time', stale('a'), ['a']],
  ['restart already', restarting('a'), []],
])('workloads share one budget with workloads that %s', (_, other, chosen) => {
  const both = { ...budget('both', '', 3), spec: { selector: {} } };
  expect(next([other, stale('b')], { maxUnavailableWorkloads: 2, budgets: [both] })).toMatchObject({
    chosen,
    waiting: [{ id: 'b', why: 'PodDisruptionBudget both allows 1 disruptions, the restart needs 2' }],
  });
});

test('a workload whose restart was refused lets the next one restart', () => {
  const rejections = new Map([['a', 'the API server refused its restart: no']]);
  expect(next([stale('a'), stale('b')], { rejections })).toMatchObject({
    chosen: ['b'],
    waiting: [{ id: 'a', why: 'the API server refused its restart: no' }],
  });
});

test('workloads that the operator already began to restart go first, and those with another incomplete rollout go last', () => {
  const items = [unsettled('a'), stale('b'), unsettled('c')];
  expect(next(items, { maxUnavailableWorkloads: 3, begun: new Map([['c', AFTER]]) }).chosen).toEqual(['c', 'b', 'a']);
});

test('a workload that was stuck before goes last, as it could block others again', () => {
  const stuck = item('a', { kind: 'stale', unsettled: 'it is healthy', isOverdue: true, takesNoSlot: false });
  const begun = new Map([['a', AFTER]]);
  expect(next([stuck, stale('b')], { begun })).toMatchObject({ chosen: ['b'], queued: 1 });
  expect(next([stuck], { begun })).toMatchObject({ chosen: ['a'] });
});

test('a restart that the operator cannot see yet keeps its slot', () => {
  expect(next([stale('a'), stale('b')], { maxUnavailableWorkloads: 2, unseen: ['c'] })).toMatchObject({
    chosen: ['a'],
    waiting: [{ id: 'c', why: 'the operator is still reading it' }],
    queued: 1,
  });
});

const passedBy = (name: string) =>
  item(name, { kind: 'restarting', since: AFTER, until: 'it is complete', overdue: 'too slow', passedBy: 'too slow' });

test('a skipped workload frees its slot, and others of its namespace go last', () => {
  expect(next([passedBy('a/1'), stale('a/2'), stale('b/1')])).toMatchObject({
    chosen: ['b/1'],
    stuck: [],
    restarting: [],
    passedBy: [{ id: 'a/1', why: 'too slow' }],
    queued: 1,
  });
  expect(next([passedBy('a/1'), stale('a/2')])).toMatchObject({ chosen: ['a/2'] });
});

test('no slots are free once incomplete restarts fill the status', () => {
  const many = Array.from({ length: MAX_INCOMPLETE }, (_, index) => passedBy(`a/${index}`));
  expect(next([...many, stale('b/1')])).toMatchObject({ chosen: [], queued: 1 });
  expect(next([...many.slice(1), stale('b/1')])).toMatchObject({ chosen: ['b/1'] });
});

test('a workload after a failed attempt goes last, and does not restart while it is skipped', () => {
  const tried = item('a', { kind: 'stale', takesNoSlot: false, triedSince: AFTER });
  const over = item('a', { kind: 'stale', takesNoSlot: false, triedSince: AFTER, passedBy: 'too long' });
  expect(next([tried, stale('b')])).toMatchObject({ chosen: ['b'], queued: 1 });
  expect(next([tried])).toMatchObject({ chosen: ['a'] });
  expect(next([over])).toMatchObject({ chosen: [], passedBy: [{ id: 'a', why: 'too long' }], queued: 0 });
});
