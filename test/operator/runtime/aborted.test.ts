import { aborted, sleep, within } from '../../../operator/src/runtime/aborted';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('aborted', () => {
  test.each(['before', 'after'])('resolves for a signal that aborts %s the call', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const promise = aborted(controller.signal);
    controller.abort();
    await promise;
  });
});

describe('sleep', () => {
  test('ends when its time is over', async () => {
    const woke = jest.fn();
    void sleep(100, new AbortController().signal).then(woke);
    await jest.advanceTimersByTimeAsync(99);
    expect(woke).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(woke).toHaveBeenCalled();
  });

  test.each(['before', 'after'])('ends when the signal aborts, %s it began, and leaves no timer', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const asleep = sleep(100, controller.signal);
    controller.abort();
    await asleep;
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('within', () => {
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    });

  test('gives what the task gives, and leaves no timer', async () => {
    expect(await within(100, async () => 'done')).toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('aborts a task that takes too long', async () => {
    const failure = expect(within(100, untilAborted)).rejects.toThrow('Not done within 100 ms');
    await jest.advanceTimersByTimeAsync(100);
    await failure;
  });

  test.each(['before', 'after'])('aborts the task with the given signal, %s it began', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort(new Error('enough'));
    const failure = expect(within(100, untilAborted, controller.signal)).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await failure;
  });
});
