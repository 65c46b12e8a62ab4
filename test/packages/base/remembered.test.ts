import { byText, RecentMap, remembered } from '#base/remembered';

test('a function is called once for each object, also where it returns nothing', () => {
  const calls: object[] = [];
  const nothing = remembered((object: object) => {
    calls.push(object);
    return undefined;
  });
  const [one, other] = [{}, {}];
  for (const object of [one, one, other, one]) expect(nothing(object)).toBeUndefined();
  expect(calls).toEqual([one, other]);
});

test('an exception is not remembered', () => {
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

test('has the latest of a key, also when the one before was forgotten in part', () => {
  const map = new RecentMap<number>(() => 1, 2);
  map.set('a', 1);
  map.set('b', 1);
  map.set('c', 1);
  map.set('a', 2);
  expect([map.get('a'), map.get('b'), map.get('d')]).toEqual([2, 1, undefined]);
});

test('calls a function once for each text, whatever it returns', () => {
  const calls: string[] = [];
  const found = byText((text) => {
    calls.push(text);
    return text.length > 1 ? text.toUpperCase() : undefined;
  });
  expect(['ab', 'c', 'ab', 'c', 'ab'].map(found)).toEqual(['AB', undefined, 'AB', undefined, 'AB']);
  expect(calls).toEqual(['ab', 'c']);
});

test('forgets what was not asked for lately', () => {
  const calls: string[] = [];
  const found = byText((text) => calls.push(text), 5);
  for (const text of ['common', 'a', 'common', 'bcdef', 'common', 'ghijk', 'common', 'a']) found(text);
  expect(calls).toEqual(['common', 'a', 'bcdef', 'ghijk', 'a']);
});
