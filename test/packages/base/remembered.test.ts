import { byText, RecentMap, remembered } from '#base/remembered';

test('the cache calls a function once per object, even if it returns undefined', () => {
  const calls: object[] = [];
  const nothing = remembered((object: object) => {
    calls.push(object);
    return undefined;
  });
  const [one, other] = [{}, {}];
  for (const object of [one, one, other, one]) expect(nothing(object)).toBeUndefined();
  expect(calls).toEqual([one, other]);
});

test('the cache does not keep a thrown error', () => {
  let fails = true;
  const result = remembered(() => {
    if (fails) throw new Error('once');
    return 1;
  });
  const object = {};
  expect(() => result(object)).toThrow('once');
  fails = false;
  expect(result(object)).toBe(1);
});

test('the cache has the latest value of a key, even after it dropped earlier ones', () => {
  const map = new RecentMap<number>(() => 1, 2);
  map.set('a', 1);
  map.set('b', 1);
  map.set('c', 1);
  map.set('a', 2);
  expect([map.get('a'), map.get('b'), map.get('d')]).toEqual([2, 1, undefined]);
});

test('the cache calls a function once per text, whatever it returns', () => {
  const calls: string[] = [];
  const found = byText((text) => {
    calls.push(text);
    return text.length > 1 ? text.toUpperCase() : undefined;
  });
  expect(['ab', 'c', 'ab', 'c', 'ab'].map(found)).toEqual(['AB', undefined, 'AB', undefined, 'AB']);
  expect(calls).toEqual(['ab', 'c']);
});

test('the cache drops entries that were not used recently', () => {
  const calls: string[] = [];
  const found = byText((text) => calls.push(text), 5);
  for (const text of ['common', 'a', 'common', 'bcdef', 'common', 'ghijk', 'common', 'a']) found(text);
  expect(calls).toEqual(['common', 'a', 'bcdef', 'ghijk', 'a']);
});
