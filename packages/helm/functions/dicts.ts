import { checkDepth, STEPS_PER_ENTRY, sortTexts } from '../go/budget';
import { define, defineVariadic } from '../go/define';
import { entriesOf, NilMap, typeOf } from '../go/reflect';
import { stringList } from '../go/typed-values';
import type { Budget, GoFunctions, GoValue } from '../go/values';
import { FunctionError } from '../go/values';
import { deepCopy, isEmpty, isMap } from './kinds';
import { textOfValue } from './strings';

const dict = defineVariadic([], 'any', (_, values, budget) => {
  const made = new Map<string, GoValue>();
  for (let i = 0; i < values.length; i += 2) {
    made.set(textOfValue(values[i] ?? null, budget), i + 1 < values.length ? values[i + 1] : '');
  }
  return made;
});

const set = define(['map', 'string', 'any'], ([map, key, value], budget) => {
  budget.spend(STEPS_PER_ENTRY);
  map.set(key, value);
  return map;
});

const unset = define(['map', 'string'], ([map, key]) => {
  map.delete(key);
  return map;
});

const pluck = defineVariadic(['string'], 'map', ([key], maps) => {
  return maps.filter((map) => map.has(key)).map((map) => map.get(key));
});

const pick = defineVariadic(['map'], 'string', ([map], keys) => {
  return new Map(keys.filter((key) => map.has(key)).map((key) => [key, map.get(key)]));
});

const omit = defineVariadic(['map'], 'string', ([map], keys) => {
  const omitted = new Set(keys);
  return new Map([...map].filter(([key]) => !omitted.has(key)));
});

/** Returns the keys in order, so that each run prints the same. Go iterates over maps in random order. */
function sorted(map: Map<string, GoValue>, budget: Budget): readonly string[] {
  return sortTexts([...map.keys()], budget);
}

const keys = defineVariadic([], 'map', (_, maps, budget) => stringList(maps.flatMap((map) => sorted(map, budget))));

const values = define(['map'], ([map], budget) => sorted(map, budget).map((key) => map.get(key)));

const dig = defineVariadic([], 'any', (_, args) => {
  if (args.length < 3) throw new FunctionError('dig needs at least three arguments');
  const path = args.slice(0, -2).map((key) => {
    if (typeof key !== 'string') throw new FunctionError(conversion(key, 'string'));
    return key;
  });
  let found: GoValue = args.at(-1);
  for (const key of path) {
    if (!isMap(found)) throw new FunctionError(conversion(found, 'map[string]interface {}'));
    if (!found.has(key)) return args.at(-2);
    found = found.get(key);
  }
  return found;
});

function conversion(value: GoValue, wanted: string): string {
  const type = value === null || value === undefined ? 'nil' : typeOf(value);
  return `interface conversion: interface {} is ${type}, not ${wanted}`;
}

const mergeAll = (isOverwriting: boolean) =>
  defineVariadic(['map'], 'map', ([given], sources, budget) => {
    const isFilled = given instanceof NilMap && sources.some((source) => !(source instanceof NilMap));
    const target = isFilled ? new Map<string, GoValue>() : given;
    for (const source of sources) merge(target, source, { isOverwriting, budget });
    return target;
  });

const copy = define(['any'], ([value], budget) => {
  if (value === null) throw new FunctionError('reflect: call of reflect.Value.Type on zero Value');
  return deepCopy(value, budget);
});

/** Functions of dictionaries. */
export const dictFunctions: GoFunctions = new Map(
  Object.entries({
    dict,
    get: define(['map', 'string'], ([map, key]) => (map.has(key) ? map.get(key) : '')),
    set,
    unset,
    hasKey: define(['map', 'string'], ([map, key]) => map.has(key)),
    pluck,
    pick,
    omit,
    keys,
    values,
    dig,
    merge: mergeAll(false),
    mustMerge: mergeAll(false),
    mergeOverwrite: mergeAll(true),
    mustMergeOverwrite: mergeAll(true),
    deepCopy: copy,
    mustDeepCopy: copy,
  }),
);

interface Merging {
  readonly isOverwriting: boolean;
  readonly budget: Budget;
}

/**
 * Merges a dictionary into another as mergo does: a key that the target lacks, or that has an empty value there, gets
 * the value of the source. When overwriting, every key gets the value of the source, even nil.
 */
function merge(target: Map<string, GoValue>, source: Map<string, GoValue>, merging: Merging, depth = 0): void {
  checkDepth(depth);
  merging.budget.spend(1 + STEPS_PER_ENTRY * source.size);
  for (const [key, value] of [...source]) {
    if (value === null || value === undefined) {
      if (merging.isOverwriting) target.set(key, null);
      continue;
    }
    if (!mergeNested(target.get(key), value, merging, depth) && (merging.isOverwriting || isEmpty(target.get(key)))) {
      target.set(key, value);
    }
  }
}

/** Merges two nested maps. Returns whether the target keeps its own map. */
function mergeNested(existing: GoValue, value: GoValue, merging: Merging, depth: number): boolean {
  const source = entriesOf(value) as Map<string, GoValue> | undefined;
  const target = entriesOf(existing) as Map<string, GoValue> | undefined;
  if (source === undefined || target === undefined) return false;
  merge(target, source, merging, depth + 1);
  return target.size > 0;
}
