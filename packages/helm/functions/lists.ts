import { checkCount, sortTexts } from '../go/budget';
import { toInt64 } from '../go/casts';
import { define, defineVariadic, goInt } from '../go/define';
import { elementsOf, isGoObject, NIL_LIST } from '../go/reflect';
import { intList, stringList, typedList } from '../go/typed-values';
import type { Budget, GoFunction, GoFunctions, GoValue } from '../go/values';
import { FunctionError } from '../go/values';
import { deepEqual, isEmpty, kindOf } from './kinds';
import { textOfValue, textsOfValue } from './strings';

function elements(list: GoValue, refusal: string): readonly GoValue[] {
  const found = elementsOf(list);
  if (found === undefined) throw new FunctionError(list === null ? NIL : `${refusal} ${kindOf(list)}`);
  return found;
}

/** The error of Go's runtime if a function asks for the type of nil. */
const NIL = 'runtime error: invalid memory address or nil pointer dereference';

type ListFunction = (list: readonly GoValue[], budget: Budget) => GoValue;

function ofList(refusal: string, call: ListFunction): GoFunction {
  return define(['any'], ([list], budget) => call(elements(list, refusal), budget));
}

const push = define(['any', 'any'], ([list, value]) => {
  const found = elements(list, 'Cannot push on type');
  checkCount(found.length + 1);
  return [...found, value];
});

const prepend = define(['any', 'any'], ([list, value]) => {
  const found = elements(list, 'Cannot prepend on type');
  checkCount(found.length + 1);
  return [value, ...found];
});

const concat = defineVariadic([], 'any', (_, lists) => {
  const found = lists.map((list) => {
    const part = elementsOf(list);
    if (part === undefined) {
      throw new FunctionError(list === null ? NIL : `Cannot concat type ${kindOf(list)} as list`);
    }
    return part;
  });
  checkCount(found.reduce((length, part) => length + part.length, 0));
  const whole = found.flat(1);
  return whole.length === 0 ? NIL_LIST : whole;
});

function includes(list: readonly GoValue[], value: GoValue, budget: Budget): boolean {
  return list.some((element) => deepEqual(element, value, budget));
}

const uniq = ofList('Cannot find uniq on type', (list, budget) => {
  const unique: GoValue[] = [];
  for (const element of list) if (!includes(unique, element, budget)) unique.push(element);
  return unique;
});

const without = defineVariadic(['any'], 'any', ([list], omitted, budget) => {
  const found = elements(list, 'Cannot find without on type');
  return found.filter((element) => !includes(omitted, element, budget));
});

const has = define(['any', 'any'], ([value, list], budget) => {
  if (list === null) return false;
  return includes(elements(list, 'Cannot find has on type'), value, budget);
});

const chunk = define(['int', 'any'], ([size, list]) => {
  const found = elements(list, 'Cannot chunk type');
  if (size <= 0) throw new FunctionError('runtime error: makeslice: len out of range');
  const count = Math.ceil(found.length / size);
  return typedList(
    '[][]interface {}',
    Array.from({ length: count }, (_, i) => found.slice(i * size, (i + 1) * size)),
  );
});

const slice = defineVariadic(['any'], 'any', ([list], [first, last]) => {
  const found = elements(list, 'list should be type of slice or array but');
  if (found.length === 0) return null;
  const start = first === undefined ? 0 : Number(toInt64(first));
  const end = last === undefined ? found.length : Number(toInt64(last));
  if (start < 0 || end < start || end > found.length) {
    throw new FunctionError('reflect.Value.Slice: slice index out of bounds');
  }
  const part = found.slice(start, end);
  return isGoObject(list) ? typedList(list.goType, part) : part;
});

const sortAlpha = define(['any'], ([list], budget) => {
  if (elementsOf(list) === undefined) return stringList([textOfValue(list, budget)]);
  const texts = textsOfValue(list, budget);
  return stringList(sortTexts(texts, budget));
});

/** Returns the numbers from `start` up to, but not including, `stop`; none if the step leads away from `stop`. */
export function numbersUntil(range: { start: number; stop: number; step: number }, budget: Budget): number[] {
  const { start, stop, step } = range;
  if (step === 0 || stop < start !== step < 0) return [];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  checkCount(count);
  budget.spend(count);
  return Array.from({ length: count }, (_, i) => start + i * step);
}

const list = defineVariadic([], 'any', (_, values) => values);

const first = ofList('Cannot find first on type', (values) => values[0] ?? null);
const last = ofList('Cannot find last on type', (values) => values.at(-1) ?? null);
const rest = ofList('Cannot find rest on type', (values) => (values.length === 0 ? NIL_LIST : values.slice(1)));
const initial = ofList('Cannot find initial on type', (values) =>
  values.length === 0 ? NIL_LIST : values.slice(0, -1),
);
const reverse = ofList('Cannot find reverse on type', (values) => [...values].reverse());
const compact = ofList('Cannot compact on type', (values) => values.filter((value) => !isEmpty(value)));

/** Functions of lists. */
export const listFunctions: GoFunctions = new Map(
  Object.entries({
    list,
    tuple: list,
    append: push,
    push,
    mustAppend: push,
    mustPush: push,
    prepend,
    mustPrepend: prepend,
    concat,
    first,
    mustFirst: first,
    last,
    mustLast: last,
    rest,
    mustRest: rest,
    initial,
    mustInitial: initial,
    reverse,
    mustReverse: reverse,
    compact,
    mustCompact: compact,
    uniq,
    mustUniq: uniq,
    without,
    mustWithout: without,
    has,
    mustHas: has,
    chunk,
    mustChunk: chunk,
    slice,
    mustSlice: slice,
    sortAlpha,
    until: define(['int'], ([stop], budget) =>
      intList(numbersUntil({ start: 0, stop, step: stop < 0 ? -1 : 1 }, budget).map((number) => goInt(number))),
    ),
    untilStep: define(['int', 'int', 'int'], ([start, stop, step], budget) =>
      intList(numbersUntil({ start, stop, step }, budget).map((number) => goInt(number))),
    ),
  }),
);
