import { byText } from '../../../lib/synth/output/by-text';

test('calls a function once for each text, whatever it returns', () => {
  const calls: string[] = [];
  const found = byText((text) => {
    calls.push(text);
    return text.length > 1 ? text.toUpperCase() : undefined;
  });
  expect(['ab', 'c', 'ab', 'c', 'ab'].map(found)).toEqual(['AB', undefined, 'AB', undefined, 'AB']);
  expect(calls).toEqual(['ab', 'c']);
});

test('forgets what it knows when that becomes too much', () => {
  const calls: string[] = [];
  const found = byText((text) => calls.push(text), 5);
  for (const text of ['abc', 'de', 'abc', 'f', 'abc']) found(text);
  expect(calls).toEqual(['abc', 'de', 'f', 'abc']);
});

test('does not remember a failure', () => {
  let calls = 0;
  const found = byText(() => {
    calls += 1;
    throw new Error('no');
  });
  expect(() => found('a')).toThrow('no');
  expect(() => found('a')).toThrow('no');
  expect(calls).toBe(2);
});
