import { setTimeout } from 'node:timers/promises';
import { inParallel } from '#tools/conformance/in-parallel';

test('results are in the order of the items, and no more work is done at once than allowed', async () => {
  let now = 0;
  let most = 0;
  const results = await inParallel([5, 1, 3, 2, 4], 2, async (item) => {
    now += 1;
    most = Math.max(most, now);
    await setTimeout(item);
    now -= 1;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 30, 20, 40]);
  expect(most).toBe(2);
});

test('a failure is passed on', async () => {
  await expect(inParallel([1], 3, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
