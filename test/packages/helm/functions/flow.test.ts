import { ChartRefusal } from '#helm/functions/flow';
import { helmFunctions } from '#helm/functions/helm-functions';
import type { GoValue } from '#helm/go/values';

const BUDGET = { spend: () => undefined };

function call(name: string, ...args: GoValue[]): GoValue {
  return helmFunctions.get(name)?.call(args, BUDGET);
}

describe('a refusal by a chart itself', () => {
  test('is a ChartRefusal with the message of the chart', () => {
    expect(() => call('fail', 'no')).toThrow(new ChartRefusal('no'));
    expect(() => call('required', 'set x', undefined)).toThrow(new ChartRefusal('set x'));
    expect(() => call('required', 'set x', '')).toThrow(ChartRefusal);
  });

  test('does not occur for a required value of false or 0', () => {
    expect(call('required', 'set x', false)).toBe(false);
    expect(call('required', 'set x', 0)).toBe(0);
  });
});
