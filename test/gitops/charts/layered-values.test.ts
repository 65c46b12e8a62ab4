import { Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { checkDecidedValues } from '#lib/gitops/charts/layered-values';

const chart = Testing.chart();
const one = new Construct(chart, 'one');
const other = new Construct(chart, 'other');

test('own values may repeat what is decided, but not contradict it', () => {
  const decided = [{ values: { map: { x: 1, y: 2 } }, from: one }];
  expect(checkDecidedValues(decided, { map: { x: 1 }, other: 3 })).toEqual([]);
  expect(checkDecidedValues(decided, { map: { x: 2 } })).toMatchObject([
    {
      code: 'value-contradicts-prop',
      parameters: { path: 'map.x', value: '2', construct: 'test/one', decided: '1' },
    },
  ]);
});

test('two constructs may not decide one value differently', () => {
  const decided = [
    { values: { x: 1, y: 1 }, from: one },
    { values: { x: 2, y: 1 }, from: other },
  ];
  expect(checkDecidedValues(decided, {})).toMatchObject([
    {
      code: 'value-set-twice',
      parameters: { path: 'x', one: 'test/one', value: '1', other: 'test/other', decided: '2' },
    },
  ]);
});
