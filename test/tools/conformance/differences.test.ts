import type { KubernetesObject } from '#lib/kubernetes/kubernetes-object';
import { describeDifference, renderDifferences } from '#tools/conformance/differences';

const object = (spec: object): KubernetesObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
const recorded = new Map([['v1/Pod//a', object({ args: ['x', 'y'], image: 'i' })]]);

function lines(rendered: readonly KubernetesObject[], path = '^$') {
  return renderDifferences(recorded, rendered, [{ object: '^v1/Pod/', path, reason: '' }]).map(describeDifference);
}

test('differences say where and what', () => {
  expect(lines([object({ image: 'j', args: ['z'], more: true })])).toEqual([
    'v1/Pod//a/spec/args#length: recorded 2, rendered 1',
    'v1/Pod//a/spec/args/0: recorded "x", rendered "z"',
    'v1/Pod//a/spec/image: recorded "i", rendered "j"',
    'v1/Pod//a/spec/more: recorded nothing, rendered true',
  ]);
});

test('differences on purpose are left out', () => {
  expect(lines([object({ image: 'j', args: ['x', 'y'] })], '^/spec/image$')).toEqual([]);
});

test('objects that are missing or too many are differences', () => {
  const other = { ...object({}), metadata: { name: 'b' } };
  expect(lines([other], '^/').map((line) => line.slice(0, 22))).toEqual([
    'v1/Pod//a: recorded {"',
    'v1/Pod//b: recorded no',
  ]);
});
