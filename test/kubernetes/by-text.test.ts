import { byText } from '../../lib/kubernetes/by-text';

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
