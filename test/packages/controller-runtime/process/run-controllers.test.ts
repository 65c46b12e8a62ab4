import type { RunnableController } from '#controller-runtime/controller/controller';
import { runControllers } from '#controller-runtime/process/manager';

type Run = RunnableController['run'];

const controller = (run: Run): RunnableController => ({ name: 'test', enqueue: jest.fn(), watch: jest.fn(), run });

/** Ignores its stop, and ends when its work is aborted. */
const stubborn: Run = (_stop, abort) => new Promise((resolve) => abort.addEventListener('abort', () => resolve()));
const deaf: Run = () => new Promise(() => undefined);

let stop: AbortController;
let lost: AbortController;
const run = (runs: readonly Run[]) =>
  runControllers(runs.map(controller), { stop: stop.signal, lost: lost.signal, graceMs: 20_000 });

beforeEach(() => {
  jest.useFakeTimers();
  stop = new AbortController();
  lost = new AbortController();
});
afterEach(() => {
  jest.useRealTimers();
});

test('the manager aborts work that does not end within the grace period', async () => {
  const ended = jest.fn();
  const end = run([stubborn]).then(ended);
  stop.abort();
  await jest.advanceTimersByTimeAsync(19_999);
  expect(ended).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  await end;
  expect(ended).toHaveBeenCalledWith('stopped');
});

test('the manager does not wait for work that ignores its abort', async () => {
  const end = run([deaf]);
  stop.abort();
  await jest.advanceTimersByTimeAsync(21_000);
  expect(await end).toBe('stopped');
});

test('the manager aborts all work at once if it loses the lease', async () => {
  let reason: unknown;
  const end = run([
    deaf,
    (_stop, abort) => {
      abort.addEventListener('abort', () => {
        reason = abort.reason;
      });
      return deaf(_stop, abort);
    },
  ]);
  lost.abort(new Error('gone'));
  expect(await end).toBe('lost');
  expect(reason).toEqual(new Error('gone'));
});
