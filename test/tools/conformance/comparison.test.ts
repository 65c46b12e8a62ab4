import type { KubernetesObject } from '../../../lib/kubernetes/kubernetes-object';
import type { Values } from '../../../lib/releases/values';
import { compareRenders, comparisonReport, type Intended } from '../../../tools/conformance/comparison';

const object = (data: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b' },
  data,
});
const helm = (data: object) => ({ objects: new Map([['v1/ConfigMap/b/a', object(data)]]) });
const ours = (data: object) => ({ objects: [object(data)] });
const REFUSED = { refused: 'Error: must be set' };
const PROBLEMS = { problems: [{ code: 'a-is-b', what: 'a is b', why: 'It breaks', fix: 'set c' }] };

function compare(
  theirs: Parameters<typeof compareRenders>[1],
  own: Parameters<typeof compareRenders>[2],
  intended: Intended = { differences: [], fixes: [] },
) {
  return compareRenders({ a: { b: 1, c: 2 } }, theirs, own, intended);
}

test('equal renders have no differences, and none that is on purpose', () => {
  expect(compare(helm({ a: 'x' }), ours({ a: 'x' }))).toEqual([]);
  const intended = { object: '/a$', path: '^/data/a$', reason: 'because' };
  expect(compare(helm({ a: 'x' }), ours({ a: 'y' }), { differences: [intended], fixes: [] })).toEqual([]);
});

test('a difference has a place and an example', () => {
  expect(compare(helm({ a: 'x' }), ours({ a: 'y' }))).toEqual([
    { place: 'v1/ConfigMap/b/a/data/a', example: 'v1/ConfigMap/b/a/data/a: recorded "x", rendered "y"' },
  ]);
});

test('values that both refuse are equal, those that one refuses are not', () => {
  expect(compare(REFUSED, PROBLEMS)).toEqual([]);
  expect(compare(REFUSED, ours({}))).toEqual([{ place: 'the chart refuses', example: 'Error: must be set' }]);
  expect(compare(helm({}), PROBLEMS)).toEqual([{ place: 'we refuse', example: 'a is b. It breaks. Fix: set c.' }]);
});

test('what the chart fails on by mistake may be rendered', () => {
  const fixed = (values: Values): Intended => ({ differences: [], fixes: [{ values, reason: 'a bug' }] });
  expect(compare(REFUSED, ours({}), fixed({ a: { b: 'x' } }))).toEqual([]);
  expect(compare(REFUSED, ours({}), fixed({ a: { b: 'x', d: 1 } }))).toHaveLength(1);
  expect(compare(REFUSED, ours({}), fixed({ a: { b: { x: 1 } } }))).toHaveLength(1);
});

test('the report has a line for each place, the most common first, and says in which variants', () => {
  const at = (place: string) => ({ place, example: `${place}: different` });
  const variants = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
    name,
    differences: name === 'f' ? [] : [...(name === 'a' ? [at('rare')] : []), at('common')],
  }));
  expect(comparisonReport(variants)).toEqual([
    '5 x common: different\n    in a, b, c, d, …',
    '1 x rare: different\n    in a',
    '1 of 6 variants are equal; the others differ at 2 places.',
  ]);
});
