import { remembered } from '../../lib/kubernetes/remembered';

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
