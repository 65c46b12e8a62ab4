import type { Problem } from '#base/findings/problem';
import { isMap, type Value, type Values } from '#base/values';
import { INJECTION_FINDINGS } from './findings';
import type { Injector } from './injector';
import { shownText } from './text-forms';
import type { ValueType, ValueTypes } from './value-type';

/** Checks the types and strings of the given values against what the injector reads and uses for pods. */
export function checkValueTypes(values: Values, { types }: Injector): readonly Problem[] {
  return checkFields('', values, types);
}

/** Checks that the values contain what the injector requires, except maps. In missing maps nothing is required. */
export function checkNeededValues(values: Values, { types }: Injector): readonly Problem[] {
  return checkNeededIn('', values, types);
}

function checkNeededIn(prefix: string, values: Values, of: ValueTypes): readonly Problem[] {
  return Object.entries(of).flatMap(([key, type]) => {
    const [path, value] = [`${prefix}${key}`, values[key]];
    if (type.is === 'map') return isMap(value) ? checkNeededIn(`${path}.`, value, type.of) : [];
    if (!type.needed || !isEmpty(value)) return [];
    return [
      INJECTION_FINDINGS.injectedValueMissingValue(
        { path, value: JSON.stringify(value ?? null), expected: EXPECTED[type.is] },
        { about: at(path) },
      ),
    ];
  });
}

function isEmpty(value: Value | undefined): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

function checkFields(prefix: string, values: Values, of: ValueTypes): readonly Problem[] {
  return Object.entries(of).flatMap(([key, type]) => checkValue(`${prefix}${key}`, values[key], type));
}

function checkValue(path: string, value: Value | undefined, type: ValueType): readonly Problem[] {
  if (value === undefined || value === null) return [];
  if (!hasType(value, type)) return isMissingMap(type) ? [] : [wrongType(path, value, EXPECTED[type.is])];
  if (Array.isArray(value)) return checkItems(path, value, type);
  if (isMap(value))
    return type.is === 'map' ? checkFields(`${path}.`, value, type.of) : checkEntries(path, value, type);
  return type.is === 'text' ? checkText(path, value, type) : checkNumber(path, value, type);
}

/** The injector also reads numbers and booleans as text. */
function hasType(value: Value, type: ValueType): boolean {
  switch (type.is) {
    case 'anything':
      return true;
    case 'text':
      return type.exact ? typeof value === 'string' : typeof value !== 'object';
    case 'boolean':
      return typeof value === 'boolean';
    case 'whole':
    case 'fraction':
      return typeof value === 'number';
    case 'list':
      return Array.isArray(value);
    case 'map':
    case 'map of':
      return isMap(value);
  }
}

/** Leaves missing maps to the rule about them, which the charts' own templates share. */
function isMissingMap({ is, needed }: ValueType): boolean {
  return is === 'map' && needed === true;
}

function checkItems(path: string, items: readonly Value[], type: ValueType): readonly Problem[] {
  return type.is === 'list' ? items.flatMap((item, index) => checkValue(`${path}[${index}]`, item, type.each)) : [];
}

function checkText(
  path: string,
  value: Value,
  { check, exact }: Extract<ValueType, { is: 'text' }>,
): readonly Problem[] {
  // In templates, empty is the same as missing.
  return value === '' && !exact ? [] : (check?.(at(path), `${value}`) ?? []);
}

const EXPECTED: Readonly<Record<ValueType['is'], string>> = {
  anything: 'a value',
  boolean: 'true or false',
  fraction: 'a number',
  list: 'a list',
  map: 'a map',
  'map of': 'a map',
  text: 'a string',
  whole: 'a whole number',
};

function checkNumber(path: string, value: Value, type: ValueType): readonly Problem[] {
  if (typeof value !== 'number' || (type.is !== 'whole' && type.is !== 'fraction')) return [];
  const { is, from, to } = type;
  if ((is === 'fraction' || Number.isInteger(value)) && value >= from && value <= to) return [];
  return [
    INJECTION_FINDINGS.injectedValueRefusedRange(
      {
        field: at(path),
        value: `${value}`,
        expected: `${EXPECTED[is]} from ${from} to ${to}`,
      },
      { about: at(path) },
    ),
  ];
}

function checkEntries(path: string, value: Values, type: ValueType): readonly Problem[] {
  if (type.is !== 'map of') return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(type.key?.(`a key of ${at(path)}`, key) ?? []).map((problem) => ({ ...problem, about: at(`${path}.${key}`) })),
    ...checkValue(`${path}.${key}`, item, type.each),
  ]);
}

function wrongType(path: string, value: Value, expected: string): Problem {
  return INJECTION_FINDINGS.injectedValueRefusedType(
    { field: at(path), value: shown(value), expected },
    { about: at(path) },
  );
}

function at(path: string): string {
  return `values.${path}`;
}

function shown(value: Value): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a map';
  return typeof value === 'string' ? shownText(value) : `${value}`;
}
