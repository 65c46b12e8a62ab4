import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Intentions } from '#linkerd/charts/chart';
import { compareRenders, comparisonReport } from '#tools/conformance/comparison';

const object = (data: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b' },
  data,
});
const helm = (data: object) => ({ objects: new Map([['v1/ConfigMap/b/a', object(data)]]) });
const ours = (data: object) => ({ objects: [object(data)], warnings: [] });
const REFUSED = { refused: 'Error: must be set' };
const PROBLEMS = {
  problems: [{ severity: 'error', code: 'a-is-b', what: 'a is b', why: 'It breaks', fix: 'set c' }],
} as const;

function compare(
  theirs: Parameters<typeof compareRenders>[1],
  own: Parameters<typeof compareRenders>[2],
  intended: Partial<Intentions> = {},
) {
  const all: Intentions = { differences: [], refusals: [], fixes: [], ...intended };
  return compareRenders({ a: { b: 1, c: 2 } }, theirs, own, all);
}

const EQUAL = { differences: [], onPurpose: [] };

test('compareRenders finds no difference between equal renders, and lists an intended difference apart', () => {
  expect(compare(helm({ a: 'x' }), ours({ a: 'x' }))).toEqual(EQUAL);
  const intended = { object: '/a$', path: '^/data/a$', reason: 'because' };
  expect(compare(helm({ a: 'x' }), ours({ a: 'y' }), { differences: [intended] })).toEqual({
    differences: [],
    onPurpose: [{ place: 'because', example: 'v1/ConfigMap/b/a/data/a: recorded "x", rendered "y"' }],
  });
});

test('compareRenders reports a difference with its place and an example', () => {
  expect(compare(helm({ a: 'x' }), ours({ a: 'y' })).differences).toMatchObject([
    { place: 'v1/ConfigMap/b/a/data/a', example: 'v1/ConfigMap/b/a/data/a: recorded "x", rendered "y"' },
  ]);
});

test('compareRenders treats values that both sides refuse as equal, and values that one side refuses as different', () => {
  expect(compare(REFUSED, PROBLEMS)).toEqual(EQUAL);
  expect(compare(REFUSED, ours({})).differences).toEqual([
    { place: 'the chart refuses', example: 'Error: must be set' },
  ]);
  expect(compare(helm({}), PROBLEMS).differences).toEqual([
    { place: 'we refuse', example: 'a is b. It breaks. Fix: set c.' },
  ]);
});

test('compareRenders accepts an intended render of values on which the chart fails', () => {
  const fixed = (values: Values) => ({ fixes: [{ values, reason: 'a bug' }] });
  expect(compare(REFUSED, ours({}), fixed({ a: { b: 'x' } }))).toEqual({
    differences: [],
    onPurpose: [{ place: 'a bug', example: 'the chart refuses: Error: must be set' }],
  });
  expect(compare(REFUSED, ours({}), fixed({ a: { b: 'x', d: 1 } })).differences).toHaveLength(1);
  expect(compare(REFUSED, ours({}), fixed({ a: { b: { x: 1 } } })).differences).toHaveLength(1);
});

test('compareRenders accepts an intended refusal of values that the chart renders', () => {
  const refused = (values: Values) => ({ refusals: [{ values, reason: 'it breaks' }] });
  expect(compare(helm({}), PROBLEMS, refused({ a: { b: 1 } }))).toEqual({
    differences: [],
    onPurpose: [{ place: 'it breaks', example: 'we refuse: a is b. It breaks. Fix: set c.' }],
  });
  expect(compare(helm({}), PROBLEMS, refused({ a: { b: 2 } })).differences).toHaveLength(1);
  expect(compare(helm({}), PROBLEMS, refused({ a: { b: 1, d: 1 } })).differences).toHaveLength(1);
});

test('compareRenders accepts a refusal of values that the chart does not have, if that is the only reason', () => {
  const unknown = {
    severity: 'error',
    code: 'chart-value-refused',
    cause: 'unknown',
    what: 'x is not known',
    why: 'It does nothing',
    fix: 'remove it',
  } as const;
  expect(compare(helm({}), { problems: [unknown] }).onPurpose).toHaveLength(1);
  expect(compare(helm({}), { problems: [unknown, ...PROBLEMS.problems] }).differences).toHaveLength(1);
});

test('comparisonReport lists places by frequency, with the names of variants', () => {
  const at = (place: string) => ({ place, example: `${place}: different` });
  const variants = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
    name,
    differences: name === 'f' ? [] : [...(name === 'a' ? [at('rare')] : []), at('common')],
    onPurpose: name === 'f' ? [at('because'), at('because')] : [],
  }));
  expect(comparisonReport(variants)).toEqual([
    '5 x common: different\n    in a, b, c, d, …',
    '1 x rare: different\n    in a',
    '1 x on purpose: because\n    because: different\n    in f',
    '1 of 6 variants are equal; the others differ at 2 places.',
  ]);
});
