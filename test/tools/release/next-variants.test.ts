import type { Values } from '#base/values';
import { nextVariants } from '#tools/release/next-variants';

function next(variants: Readonly<Record<string, Values>>, before: Values, after: Values) {
  const list = Object.entries(variants).map(([name, values]) => ({ name, values }));
  return Object.fromEntries(nextVariants(list, before, after).map(({ name, values }) => [name, values]));
}

test('nextVariants keeps variants whose defaults have not changed', () => {
  const variants = { 'a.b': { a: { b: 2 } }, 'scenario:both': { a: { b: 3 }, c: 'x' } };
  expect(next(variants, { a: { b: 1 }, c: '' }, { a: { b: 1 }, c: '' })).toEqual(variants);
});

test.each<[string, Values, readonly [before: Values, after: Values], Values]>([
  ['a boolean is the opposite of the new default', { on: true }, [{ on: false }, { on: true }], { on: false }],
  ['a text follows its default', { tag: 'v1-altered' }, [{ tag: 'v1' }, { tag: 'v2' }], { tag: 'v2-altered' }],
  ['a chosen text stays', { level: 'debug' }, [{ level: 'info' }, { level: 'warn' }], { level: 'debug' }],
  [
    'a chosen text changes if it becomes the default',
    { level: 'debug' },
    [{ level: 'info' }, { level: 'debug' }],
    { level: 'debug-altered' },
  ],
  ['a number that becomes the default grows by one', { count: 2 }, [{ count: 1 }, { count: 2 }], { count: 3 }],
])('nextVariants applies the rule: %s', (_, variant, defaults, expected) => {
  const [name = ''] = Object.keys(variant);
  expect(next({ [name]: variant }, ...defaults)).toEqual({ [name]: expected });
});

test('nextVariants adds a variant for a new value, also inside a new map', () => {
  const after = { old: 1, tag: 'v1', image: { name: 'x', pull: '', more: { on: false } }, list: [1], nothing: null };
  expect(next({}, { old: 1 }, after)).toEqual({
    tag: { tag: 'v1-altered' },
    'image.name': { image: { name: 'x-altered' } },
    'image.more.on': { image: { more: { on: true } } },
  });
});

test('nextVariants drops the variant of a removed value, and keeps the value in scenarios', () => {
  const scenario = { 'scenario:x': { gone: 2, kept: 2 } };
  expect(next({ gone: { gone: 2 }, ...scenario }, { gone: 1, kept: 1 }, { kept: 1 })).toEqual(scenario);
});
