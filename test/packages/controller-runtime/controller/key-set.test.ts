import { createKeySet } from '#controller-runtime/controller/key-set';

test('workers take keys in the order in which they became due, each once', async () => {
  const keys = createKeySet();
  for (const key of ['b', 'a', 'b', 'c', 'a']) keys.add(key);
  expect([await keys.take(), await keys.take(), await keys.take()]).toEqual(['b', 'a', 'c']);
});

test('a worker takes a key again, after its work, if the key was added meanwhile', async () => {
  const keys = createKeySet();
  keys.add('a');
  await keys.take();
  keys.add('a');
  keys.add('a');
  keys.add('b');
  expect(await keys.take()).toBe('b');
  const again = keys.take();
  keys.done('a');
  expect(await again).toBe('a');
  keys.done('a');
  keys.add('c');
  expect(await keys.take()).toBe('c');
});

describe('after the end of the set of keys,', () => {
  test('waiting and later workers get no key', async () => {
    const keys = createKeySet();
    const waiting = keys.take();
    void keys.shutDown();
    expect(await waiting).toBeUndefined();
    expect(await keys.take()).toBeUndefined();
  });

  test('the set is done once the last key in progress is done', async () => {
    const keys = createKeySet();
    for (const key of ['a', 'b']) keys.add(key);
    await keys.take();
    await keys.take();
    const over = jest.fn();
    const end = keys.shutDown().then(over);
    keys.done('a');
    await new Promise(setImmediate);
    expect(over).not.toHaveBeenCalled();
    keys.done('b');
    await end;
  });
});

test('the set of keys notifies an observer', async () => {
  const seen: unknown[] = [];
  const observer: Parameters<typeof createKeySet>[0] = {
    depth: (keys) => seen.push(['depth', keys]),
    added: () => seen.push('added'),
    taken: (seconds) => seen.push(['taken', Math.round(seconds)]),
    done: (seconds) => seen.push(['done', Math.round(seconds)]),
  };
  jest.useFakeTimers();
  try {
    const keys = createKeySet(observer);
    keys.add('a');
    keys.add('a');
    jest.advanceTimersByTime(2_000);
    await keys.take();
    keys.add('a');
    jest.advanceTimersByTime(3_000);
    keys.done('a');
  } finally {
    jest.useRealTimers();
  }
  expect(seen).toEqual(['added', ['depth', 1], ['taken', 2], ['depth', 0], 'added', ['done', 3], ['depth', 1]]);
});
