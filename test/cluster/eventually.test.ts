import { eventually } from '../support/cluster/eventually';

it('returns what the check returns once it does not throw', async () => {
  let calls = 0;
  const check = async () => {
    calls += 1;
    if (calls < 3) throw new Error('not yet');
    return calls;
  };
  await expect(eventually(check, { intervalMs: 1 })).resolves.toBe(3);
});

it('throws the last error when the time is up', async () => {
  let calls = 0;
  const check = () => {
    calls += 1;
    throw new Error(`missing after ${calls}`);
  };
  const failure = eventually(check, { timeoutMs: 30, intervalMs: 1 });
  await expect(failure).rejects.toThrow(/^missing after \d+$/);
  await expect(failure).rejects.toThrow(`${calls}`);
});
