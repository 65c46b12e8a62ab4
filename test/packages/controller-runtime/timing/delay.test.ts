import { delay } from '#controller-runtime/timing/wait';

test("a delay rejects with the signal's reason, before and during the wait", async () => {
  await expect(delay(60_000, AbortSignal.abort(new Error('before')))).rejects.toThrow(new Error('before'));
  const controller = new AbortController();
  const waiting = delay(60_000, controller.signal);
  controller.abort(new Error('during'));
  await expect(waiting).rejects.toThrow(new Error('during'));
});
