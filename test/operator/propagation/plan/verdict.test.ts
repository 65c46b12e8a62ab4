import type { AssessedWorkload } from '#operator/src/propagation/plan/assess';
import { injectorVerdict, waveVerdict } from '#operator/src/propagation/plan/verdict';
import type { Wave } from '#operator/src/propagation/plan/wave';
import { deployment, HASH, injector, SINCE } from '#test/support/operator/propagation-objects';

const EMPTY: Wave = { chosen: [], restarting: [], waiting: [], stuck: [], passedBy: [], queued: 0 };
const workload = (id: string, state: AssessedWorkload['state']): AssessedWorkload => ({
  id,
  workload: deployment(id),
  pods: [],
  state,
});
const waiting = (...ids: string[]) => ids.map((id) => ({ id, why: 'it is paused' }));
const waveSays = (wave: Partial<Wave>) => waveVerdict({ ...EMPTY, ...wave });
const stuckSays = { status: false, reason: 'RolloutStuck' };

test.each([
  {
    state: { kind: 'outdated', injector: injector() } as const,
    message: 'the-injector must restart to load the configuration.',
  },
  {
    state: { kind: 'rolling', until: 'it has replicas' } as const,
    message: 'the-injector restarts: it waits until it has replicas.',
  },
  {
    state: { kind: 'unrecorded', injector: injector(), injection: { configHash: HASH, since: SINCE } } as const,
    message: 'the-injector has the configuration.',
  },
])('the status describes an injector in the state $state.kind: $message', ({ state, message }) => {
  expect(injectorVerdict(state, 'the-injector')).toEqual({
    progressing: { status: true, reason: 'InjectorRollout', message },
  });
});

test('the status is degraded by a missing or stuck injector', () => {
  const missing = {
    reason: 'InjectorMissing',
    message: 'the-injector does not exist, so no pod gets the configuration.',
  };
  expect(injectorVerdict({ kind: 'missing' }, 'the-injector').degraded).toEqual(missing);
  expect(injectorVerdict({ kind: 'rolling', until: 'x', overdue: 'Too slow.' }, 'the-injector')).toEqual({
    progressing: { ...stuckSays, message: 'the-injector does not start with the configuration: Too slow.' },
    degraded: { reason: 'RolloutStuck', message: 'the-injector does not start with the configuration: Too slow.' },
  });
});

test('the status names workloads that restart, that are next, and that wait', () => {
  const since = SINCE;
  const verdict = waveSays({
    restarting: [workload('a', { kind: 'restarting', since, until: '3 new pods exist (1 do)' })],
    chosen: [workload('b', { kind: 'stale', takesNoSlot: false })],
    waiting: waiting('c'),
    queued: 4,
  });
  const message = 'Restarting a (until 3 new pods exist (1 do)), b; 4 to follow. Waiting: c (it is paused).';
  expect(verdict).toEqual({ progressing: { status: true, reason: 'Restarting', message } });
});

test('the status does not count a waiting workload as restarting', () => {
  expect(waveSays({ waiting: waiting('a') }).progressing).toMatchObject({ status: true, reason: 'Waiting' });
});

test('the status is degraded by a stuck workload', () => {
  const message = 'Restarts have stopped because of a (too slow).';
  expect(waveSays({ stuck: [{ id: 'a', why: 'too slow.' }], waiting: waiting('b') })).toEqual({
    progressing: { ...stuckSays, message },
    degraded: { reason: 'RolloutStuck', message },
  });
});

test('the status reports no progress when all workloads are up to date', () => {
  expect(waveSays({}).progressing).toMatchObject({ status: false, reason: 'UpToDate' });
});

test('a workload with a skipped restart degrades the status, whether others restart or not', () => {
  const message = 'Skipped: a (too slow).';
  const passedBy = [{ id: 'a', why: 'too slow' }];
  const degraded = { reason: 'RestartIncomplete', message };
  expect(waveSays({ passedBy, waiting: waiting('b') })).toMatchObject({ progressing: { status: true }, degraded });
  expect(waveSays({ passedBy })).toEqual({ progressing: { status: false, ...degraded }, degraded });
});
