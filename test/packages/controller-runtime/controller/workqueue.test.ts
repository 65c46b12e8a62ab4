import fc from 'fast-check';
import { createWorkqueue, type Workqueue } from '#controller-runtime/controller/workqueue';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

async function isTaken(queue: Workqueue, key: string): Promise<boolean> {
  const taken = queue.take();
  const first = await Promise.race([taken, Promise.resolve().then(() => 'nothing')]);
  if (first === 'nothing') {
    // The waiting worker must not receive later keys.
    await queue.shutDown();
    return false;
  }
  return first === key;
}

describe('a failing key', () => {
  test('waits for longer each time', async () => {
    const queue = createWorkqueue();
    const waits: number[] = [];
    for (let failure = 0; failure < 5; failure++) {
      queue.addRateLimited('a');
      const from = performance.now();
      const taken = queue.take().then(() => waits.push(performance.now() - from));
      await jest.advanceTimersByTimeAsync(1_000);
      await taken;
      queue.done('a');
    }
    expect(waits).toEqual([5, 10, 20, 40, 80]);
  });

  test('is processed at once if its object changes', async () => {
    const queue = createWorkqueue();
    for (let failure = 0; failure < 20; failure++) queue.addRateLimited('a');
    queue.add('a');
    expect(await isTaken(queue, 'a')).toBe(true);
  });
});

test('the queue retries many failing keys at a bounded rate', async () => {
  const queue = createWorkqueue();
  let retried = 0;
  void (async () => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      retried += 1;
      queue.done(key);
    }
  })();
  for (let key = 0; key < 1_000; key++) queue.addRateLimited(`key-${key}`);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(retried).toBe(110);
  await jest.advanceTimersByTimeAsync(89_000);
  expect(retried).toBe(1_000);
  await queue.shutDown();
});

test('no waiting key remains after the end of the queue', async () => {
  const queue = createWorkqueue();
  queue.addAfter('a', 1_000);
  queue.addRateLimited('b');
  await queue.shutDown();
  expect(jest.getTimerCount()).toBe(0);
  expect(await queue.take()).toBeUndefined();
});

/** The steps of a test on a queue, with keys 0 to 2. */
type Step =
  | { readonly do: 'add' | 'fail'; readonly key: string }
  | { readonly do: 'addAfter'; readonly key: string; readonly ms: number }
  | { readonly do: 'wait'; readonly ms: number };

const key = fc.constantFrom('a', 'b', 'c');
const ms = fc.integer({ min: 0, max: 50 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('add' as const, 'fail' as const), key }),
  fc.record({ do: fc.constant('addAfter' as const), key, ms }),
  fc.record({ do: fc.constant('wait' as const), ms }),
);

test('work on a key begins after each addition of it, and never twice at the same time', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 40 }),
    fc.array(ms),
    fc.integer({ min: 1, max: 4 }),
    async (steps, durations, workers) => {
      const queue = createWorkqueue();
      const wishes = new Map<string, number>();
      const begun = new Map<string, number>();
      const working = new Set<string>();
      let count = 0;
      const work = async (): Promise<void> => {
        for (let taken = await queue.take(); taken !== undefined; taken = await queue.take()) {
          expect(working).not.toContain(taken);
          working.add(taken);
          begun.set(taken, ++count);
          const duration = durations[count % durations.length] ?? 0;
          await new Promise((resolve) => setTimeout(resolve, duration));
          working.delete(taken);
          queue.done(taken);
        }
      };
      const done = Promise.all(Array.from({ length: workers }, work));
      for (const action of steps) {
        if (action.do === 'wait') await jest.advanceTimersByTimeAsync(action.ms);
        else wishes.set(action.key, ++count);
        if (action.do === 'add') queue.add(action.key);
        if (action.do === 'fail') queue.addRateLimited(action.key);
        if (action.do === 'addAfter') queue.addAfter(action.key, action.ms);
      }
      await jest.advanceTimersByTimeAsync(1_000_000);
      for (const [wished, when] of wishes) expect(begun.get(wished)).toBeGreaterThan(when);
      await queue.shutDown();
      await done;
    },
  );
  await fc.assert(property);
});
