import { createTurns } from '#controller-runtime/webhook/webhook-server';

/** Work that ends when the test ends it. */
function work(name: string, begun: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return {
    run: () => {
      begun.push(name);
      return promise;
    },
    end: () => resolve(name),
    fail: () => reject(new Error(name)),
  };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Waits until a turn is handed over, which happens after all other arrived events are handled. */
async function settle(): Promise<void> {
  await soon();
  await soon();
}

test('turns limit concurrent work, and a client with much work delays only itself', async () => {
  const begun: string[] = [];
  const turns = createTurns(2);
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((name) => ({ name, ...work(name, begun) }));
  const done = all.map(({ name, run }) => turns.take(name.slice(0, 1), run));
  await settle();
  expect(begun).toEqual(['a1', 'a2']);
  for (const { end } of all) {
    end();
    await settle();
  }
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4']);
  expect(await Promise.all(done)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1']);
});

test('failed work frees its turn', async () => {
  const begun: string[] = [];
  const turns = createTurns(1);
  const [first, second] = [work('first', begun), work('second', begun)];
  const failed = turns.take('a', first.run);
  const done = turns.take('a', second.run);
  first.fail();
  await expect(failed).rejects.toThrow('first');
  await settle();
  expect(begun).toEqual(['first', 'second']);
  second.end();
  expect(await done).toBe('second');
});

test('the server does other work between two turns', async () => {
  const order: string[] = [];
  const turns = createTurns(1);
  const turn = (name: string) => turns.take('a', async () => void order.push(name));
  const done = [turn('first'), turn('second'), turn('third')];
  setImmediate(() => order.push('somebody else'));
  await Promise.all(done);
  expect(order.indexOf('somebody else')).toBe(1);
});
