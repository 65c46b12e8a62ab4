import { createRecentMap } from '#controller-runtime/events/event-recorder';

test('a map of recent entries drops the least recently used', () => {
  const map = createRecentMap<number>(2);
  map.getOrAdd('a', () => 1);
  map.getOrAdd('b', () => 1);
  map.getOrAdd('a', () => 2);
  map.getOrAdd('c', () => 1);
  expect([map.getOrAdd('a', () => 2), map.getOrAdd('c', () => 2), map.getOrAdd('b', () => 2)]).toEqual([1, 1, 2]);
});
