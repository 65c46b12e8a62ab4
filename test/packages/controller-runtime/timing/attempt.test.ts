import { attempt } from '#controller-runtime/timing/attempt';

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('cut off')));
  });

test('what is done in time is the result', async () => {
  expect(await attempt({ timeoutMs: 60_000 }, async () => 'done')).toBe('done');
});

test('what fails by itself fails with its own error', async () => {
  const failing = attempt({ timeoutMs: 60_000 }, async () => Promise.reject(new Error('own')));
  await expect(failing).rejects.toThrow('own');
});

test('what takes too long says so, whatever it makes of the end', async () => {
  await expect(attempt({ timeoutMs: 10 }, untilAborted)).rejects.toThrow('no answer within 10 ms');
});

test("what is aborted ends with the signal's reason, whatever it makes of the end", async () => {
  const controller = new AbortController();
  const running = attempt({ signal: controller.signal, timeoutMs: 60_000 }, untilAborted);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
});

test('with an aborted signal nothing begins', async () => {
  const run = jest.fn();
  const running = attempt({ signal: AbortSignal.abort(new Error('too late')), timeoutMs: 1 }, run);
  await expect(running).rejects.toThrow('too late');
  expect(run).not.toHaveBeenCalled();
});

test('what is done leaves no timer', async () => {
  jest.useFakeTimers();
  await attempt({ timeoutMs: 100 }, async () => 'done');
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});
