import { attempt } from '#controller-runtime/timing/attempt';

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('cut off')));
  });

test('an attempt that takes too long fails with a timeout, however it ends later', async () => {
  await expect(attempt({ timeoutMs: 10 }, untilAborted)).rejects.toThrow('no answer within 10 ms');
});

test("an aborted attempt fails with the signal's reason, however it ends later", async () => {
  const controller = new AbortController();
  const running = attempt({ signal: controller.signal, timeoutMs: 60_000 }, untilAborted);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
});

test('a completed attempt leaves no timer', async () => {
  jest.useFakeTimers();
  await attempt({ timeoutMs: 100 }, async () => 'done');
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});
