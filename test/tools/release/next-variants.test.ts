import type { Values } from '#base/values';
import { nextVariants } from '#tools/release/next-variants';

function next(variants: Readonly<Record<string, Values>>, before: Values, after: Values) {
  const list = Object.entries(variants).map(([name, values]) => ({ name, values }));
  return Object.fromEntries(nextVariants(list, before, after).map(({ name, values }) => [name, values]));
}

test('variants stay where no default has changed', () => {
  const variants = { 'a.b': { a: { b: 2 } }, 'scenario:both': { a: { b: 3 }, c: 'x' } };
  expect(next(variants, { a: { b: 1 }, c: '' }, { a: { b: 1 }, c: '' })).toEqual(variants);
});

test.each<[string, Values, readonly [before: Values, after: Values], Values]>([
  ['a switch is turned from what it is now', { on: true }, [{ on: false }, { on: true }], { on: false }],
  ['a text follows its default', { tag: 'v1-altered' }, [{ tag: 'v1' }, { tag: 'v2' }], { tag: 'v2-altered' }],
  ['a chosen text stays', { level: 'debug' }, [{ level: 'info' }, { level: 'warn' }], { level: 'debug' }],
  [
    'unless it is the default now',
    { level: 'debug' },
    [{ level: 'info' }, { level: 'debug' }],
    { level: 'debug-altered' },
  ],
  ['a number that is the default now is one more', { count: 2 }, [{ count: 1 }, { count: 2 }], { count: 3 }],
])('%s', (_, variant, defaults, expected) => {
  const [name = ''] = Object.keys(variant);
  expect(next({ [name]: variant }, ...defaults)).toEqual({ [name]: expected });
});

test('a new value has a variant, also inside of a map that is new', () => {
  const after = { old: 1, tag: 'v1', image: { name: 'x', pull: '', more: { on: false } }, list: [1], nothing: null };
  expect(next({}, { old: 1 }, after)).toEqual({
    tag: { tag: 'v1-altered' },
    'image.name': { image: { name: 'x-altered' } },
    'image.more.on': { image: { more: { on: true } } },
  });
});

test('a value that is gone has none any more, and stays in scenarios', () => {
  const scenario = { 'scenario:x': { gone: 2, kept: 2 } };
  expect(next({ gone: { gone: 2 }, ...scenario }, { gone: 1, kept: 1 }, { kept: 1 })).toEqual(scenario);
});
