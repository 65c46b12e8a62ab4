import { createGate } from '#controller-runtime/cache/gate';

const never = new AbortController().signal;

test('a gate releases all waiters when it opens, and later ones at once', async () => {
  const gate = createGate();
  expect(gate.isOpen()).toBe(false);
  const waiting = Promise.all([gate.whenOpen(never), gate.whenOpen(never)]);
  gate.open();
  await waiting;
  expect(gate.isOpen()).toBe(true);
  await gate.whenOpen(AbortSignal.abort());
});

test("a waiter at a gate that aborts gets the signal's reason", async () => {
  const gate = createGate();
  const controller = new AbortController();
  const waiting = gate.whenOpen(controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(gate.whenOpen(controller.signal)).rejects.toThrow('enough');
});

test('a signal holds no reference to a completed wait at a gate', async () => {
  const { signal } = new AbortController();
  const added = jest.spyOn(signal, 'addEventListener');
  const removed = jest.spyOn(signal, 'removeEventListener');
  const gate = createGate();
  const waiting = gate.whenOpen(signal);
  gate.open();
  await waiting;
  expect(removed).toHaveBeenCalledWith('abort', added.mock.calls[0]?.[1]);
});
