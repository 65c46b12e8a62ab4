import { RecentMap } from '../../lib/kubernetes/recent-map';

test('keeps what is asked for again and again, and forgets the rest', () => {
  const map = new RecentMap<string>((key) => key.length, 100);
  map.set('common', 'kept');
  for (let number = 0; number < 1_000; number += 1) {
    const own = `own ${number}`;
    map.set(own, own);
    expect(map.get(own)).toBe(own);
    expect(map.get('common')).toBe('kept');
  }
  const left = Array.from({ length: 1_000 }, (_, number) => map.get(`own ${number}`)).filter(
    (own) => own !== undefined,
  );
  expect(left.join('').length).toBeLessThanOrEqual(200);
});

test('has the latest of a key, also when the one before was forgotten in part', () => {
  const map = new RecentMap<number>(() => 1, 2);
  map.set('a', 1);
  map.set('b', 1);
  map.set('c', 1);
  map.set('a', 2);
  expect([map.get('a'), map.get('b'), map.get('d')]).toEqual([2, 1, undefined]);
});
