import { define, defineVariadic } from '../go/define';
import type { GoFunctions, GoValue } from '../go/values';
import { FunctionError } from '../go/values';
import { isEmpty } from './kinds';

/** A refusal by the chart itself, with `fail` or `required`: Helm reports only the text of the chart. */
export class ChartRefusal extends FunctionError {}

const required = define(['string', 'any'], ([message, value]) => {
  if (value === null || value === '') throw new ChartRefusal(message);
  return value;
});

const coalesce = defineVariadic([], 'any', (_, values, budget) => {
  budget.spend(1 + values.length);
  return values.find((value) => !isEmpty(value)) ?? null;
});

const defaulted = (fallback: GoValue, given: readonly GoValue[]): GoValue => (isEmpty(given[0]) ? fallback : given[0]);

/** Defaults, choices and refusals. */
export const flowFunctions: GoFunctions = new Map(
  Object.entries({
    default: defineVariadic(['any'], 'any', ([fallback], given) => defaulted(fallback, given)),
    empty: define(['any'], ([value]) => isEmpty(value)),
    coalesce,
    all: defineVariadic([], 'any', (_, values) => values.every((value) => !isEmpty(value))),
    any: defineVariadic([], 'any', (_, values) => values.some((value) => !isEmpty(value))),
    ternary: define(['any', 'any', 'bool'], ([yes, no, condition]) => (condition ? yes : no)),
    fail: define(['string'], ([message]) => {
      throw new ChartRefusal(message);
    }),
    required,
    // There is no cluster, as in `helm template`.
    lookup: define(['string', 'string', 'string', 'string'], () => new Map<string, GoValue>()),
    // Names are not resolved, as without `--enable-dns`.
    getHostByName: define(['string'], () => ''),
  }),
);
