import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { type AgingCache, freshCaches, lateKinds } from '#operator/src/anchor/caches/cache-age';

const LAG = 180_000;

test('a kind is late if its watch is silent for longer than its cache may lag', () => {
  const heard = [1_000, 1_001, 181_000, undefined].map((untilMs, index) => ({
    name: `${index}`,
    plural: 'x',
    untilMs,
  }));
  expect(lateKinds(heard, 1_000 + LAG + 1, LAG).map(({ name }) => name)).toEqual(['0', '3']);
  expect(lateKinds(heard, 1_000 + LAG, LAG).map(({ name }) => name)).toEqual(['3']);
  expect(lateKinds(heard.slice(0, 3), 10_000, LAG)).toEqual([]);
});

describe('caches with a failing watch', () => {
  const state = { now: 0, heardMs: 0, reads: 0, isAway: false };
  const named = (name: string): KubeObject => ({ metadata: { name } });
  const pods: AgingCache<KubeObject> = {
    resource: { plural: 'pods' },
    list: () => [named('cached')],
    heardMs: () => state.heardMs,
    read: () => {
      state.reads += 1;
      return state.isAway ? Promise.reject(new Error('away')) : Promise.resolve([named(`read ${state.reads}`)]);
    },
  };
  const signal = new AbortController().signal;

  beforeEach(() => Object.assign(state, { now: 0, heardMs: 0, reads: 0, isAway: false }));
  const fresh = () => freshCaches({ pods }, () => state.now);
  const names = (caches: ReturnType<typeof fresh>) => caches.list('pods').map(({ metadata }) => metadata.name);

  test('are not reread while the watch is recent enough', async () => {
    const caches = fresh();
    state.now = LAG;
    expect(await caches.refresh(LAG, signal)).toEqual([]);
    expect([names(caches), state.reads]).toEqual([['cached'], 0]);
  });

  test('are reread once per allowed delay, and only while the watch is behind', async () => {
    const caches = fresh();
    state.now = LAG + 1;
    expect(await caches.refresh(LAG, signal)).toEqual([]);
    expect(await caches.refresh(LAG, signal)).toEqual([]);
    expect([names(caches), state.reads]).toEqual([['read 1'], 1]);
    state.now += LAG + 1;
    await caches.refresh(LAG, signal);
    expect([names(caches), state.reads]).toEqual([['read 2'], 2]);
    state.heardMs = state.now + 1;
    expect(names(caches)).toEqual(['cached']);
  });

  test('are late if a read fails as well', async () => {
    const caches = fresh();
    state.isAway = true;
    state.now = LAG + 1;
    expect(await caches.refresh(LAG, signal)).toEqual([{ name: 'pods', plural: 'pods', untilMs: 0 }]);
    expect(names(caches)).toEqual(['cached']);
  });

  test('are not reread by an operator that is stopping', async () => {
    state.now = LAG + 1;
    await expect(fresh().refresh(LAG, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });

  test('include caches that become late while others are reread', async () => {
    const read = async () => {
      state.now += 2_000;
      return [named('slow')];
    };
    const slow = { ...pods, read };
    const events = { ...pods, resource: { plural: 'events' }, heardMs: () => 1_000 };
    const caches = freshCaches({ pods: slow, events }, () => state.now);
    state.now = LAG + 1;
    expect(await caches.refresh(LAG, signal)).toEqual([]);
    expect(state.reads).toBe(1);
  });
});
