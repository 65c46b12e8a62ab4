import { aborted, sleep } from '#controller-runtime/timing/wait';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a wait for an abort', () => {
  test.each(['before', 'after'])('resolves for a signal that aborts %s the call', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const promise = aborted(controller.signal);
    controller.abort();
    await promise;
  });
});

describe('a sleep', () => {
  test.each(['before', 'after'])('ends if the signal aborts %s its start, and leaves no timer', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const asleep = sleep(100, controller.signal);
    controller.abort();
    await asleep;
    expect(jest.getTimerCount()).toBe(0);
  });
});
