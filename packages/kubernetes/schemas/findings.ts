import { catalogue, textOf } from '#base/findings/catalogue';
import { placeInValues } from '#base/value-path';
import { type FixCase, type RuleParameters, type RuleTable, wordsOf } from '../findings/rule-words';
import { FORBIDDEN_RULES, REQUIRED_RULES, SIZE_FIXES, type SizeUnit, UNIQUE_RULES } from './presence-rules';
import { KEY_RULES, SCHEMA_RULES, VALUE_RULES } from './value-rules';

/** How a place in data breaks a schema. */
export interface MisfitParameters extends MisfitRemedy {
  /**
   * - `unknown`: a key that the schema does not have
   * - `missing`: a key that the schema requires
   * - `type`: a value of another type
   * - `described-type`: a value of another type, where the schema describes the expected value
   * - `unsupported`: a value that is not in the schema's list
   * - `repeated`: an item of a list that duplicates another one
   * - otherwise: the rule of the schema that a value breaks
   */
  readonly is:
    | 'unknown'
    | 'missing'
    | 'type'
    | 'described-type'
    | 'unsupported'
    | 'repeated'
    | keyof typeof SCHEMA_RULES;
  /** The value, shortened; for a repeated item, its keys or the item. Empty if the key is wrong. */
  readonly value: string;
  /** Names of types or values, the place of the other item, or a parameter of the rule. */
  readonly expected: string;
}

/** What to write instead. */
export interface MisfitRemedy {
  /**
   * - `correct`: what is expected
   * - `meant`: the hint, because the key or the value is probably a typo of it
   * - `remove`: nothing; the hint lists the known keys, if they are few
   * - `unquote`: the hint, which is the value without its quotes
   * - `quote`: the value as a string
   * - `list`: the value as the item of a list
   */
  readonly remedy: 'correct' | 'meant' | 'remove' | 'unquote' | 'quote' | 'list';
  readonly hint: string;
}

type LocatedMisfit = { readonly path: string } & MisfitParameters;

/** Returns what to do about a misfit. */
export function misfitFix({ path, is, value, expected, remedy, hint }: LocatedMisfit): string {
  switch (remedy) {
    case 'correct':
      return correction({ path, is, expected });
    case 'meant':
      return `did you mean ${hint}?`;
    case 'remove':
      return `remove ${path}${hint === '' ? '' : `; known keys: ${hint}`}`;
    case 'unquote':
      return `write ${hint} without quotes`;
    case 'quote':
      return `write ${path} as a string, with its unit if it is a duration or a quantity`;
    case 'list':
      return `write ${path} as a list: [${value}]`;
  }
}

const UNKNOWN_CASES = [{ remedy: 'meant' }, { remedy: 'remove' }] as const;
const TYPE_CASES = [
  { remedy: 'correct', is: 'type' },
  { remedy: 'unquote' },
  { remedy: 'quote' },
  { remedy: 'list' },
] as const;
const UNSUPPORTED_CASES = [{ remedy: 'meant' }, { remedy: 'correct', is: 'unsupported' }] as const;

/** The cases in which the fix of a misfit differs, for the documentation. */
export const MISFIT_CASES: readonly FixCase[] = [
  ...UNKNOWN_CASES,
  { remedy: 'correct', is: 'missing' },
  ...TYPE_CASES,
  ...UNSUPPORTED_CASES,
  { remedy: 'correct', is: 'repeated' },
  ...Object.keys(SCHEMA_RULES).map((is) => ({ remedy: 'correct', is })),
];

function correction({ path, is, expected }: Pick<LocatedMisfit, 'path' | 'is' | 'expected'>): string {
  switch (is) {
    case 'unknown':
      return `remove ${path}`;
    case 'missing':
      return `add ${path}`;
    case 'type':
      return `set ${path} to ${typeWords(expected)}`;
    case 'described-type':
      return `set ${path} to ${expected}`;
    case 'unsupported':
      return `set ${path} to ${expected.includes(', ') ? 'one of ' : ''}${expected}`;
    case 'repeated':
      return `keep one of ${expected} and ${path}`;
    default:
      return textOf(SCHEMA_RULES[is].fix, { expected });
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a map',
  string: 'a string',
};

function typeWords(types: string): string {
  return types
    .split(', ')
    .map((type) => TYPE_WORDS[type] ?? type)
    .join(' or ');
}

/** Returns the predicate of a sentence about a misfit, to follow the path of its place. */
export function misfitText({ is, value, expected }: MisfitParameters): string {
  switch (is) {
    case 'unknown':
      return 'is not known';
    case 'missing':
      return 'is missing';
    case 'unsupported':
      return `is ${value}, not one of ${expected}`;
    case 'repeated':
      return `repeats ${value} of ${expected}`;
    case 'type':
      return `is ${value}, not ${typeWords(expected)}`;
    default: {
      const rule = (SCHEMA_RULES as RuleTable)[is];
      return `is ${value}, ${rule === undefined ? `not ${expected}` : `but ${textOf(rule.why, { expected })}`}`;
    }
  }
}

const REQUIRED = wordsOf(REQUIRED_RULES);
const INVALID = wordsOf(VALUE_RULES);
const INVALID_KEY = wordsOf(KEY_RULES);
const FORBIDDEN = wordsOf(FORBIDDEN_RULES);
const UNIQUE = wordsOf(UNIQUE_RULES);

/**
 * Findings about fields, in the categories of the API server's errors (k8s.io/apimachinery, field.Error). Findings of
 * one category differ in their rule, whose text is in a table.
 */
export const FIELD_FINDINGS = catalogue({
  'field-refused/unknown': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is not a known field`,
    why: 'The API server refuses unknown fields where validation is strict, and drops them where it is not',
    fix: ({ field, remedy, hint }: { field: string } & MisfitRemedy) =>
      misfitFix({ path: field, is: 'unknown', value: '', expected: '', remedy, hint }),
    cases: UNKNOWN_CASES,
  },
  'field-refused/required': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is missing`,
    why: (parameters: RuleParameters<typeof REQUIRED_RULES>) =>
      `The API server refuses the object without it: ${REQUIRED.why(parameters)}`,
    fix: REQUIRED.fix,
    rules: REQUIRED_RULES,
  },
  'field-refused/type': {
    severity: 'error',
    what: ({ field, value, expected }: Record<'field' | 'value' | 'expected', string>) =>
      `${field} is ${value}, not ${typeWords(expected)}`,
    why: 'The API server refuses the object',
    fix: ({ field, value, expected, remedy, hint }: Record<'field' | 'value' | 'expected', string> & MisfitRemedy) =>
      misfitFix({ path: field, is: 'type', value, expected, remedy, hint }),
    cases: TYPE_CASES,
  },
  'field-refused/not-supported': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}`,
    why: ({ supported }: { supported: string }) => `The API server refuses it: supported values are ${supported}`,
    fix: ({ field, supported, remedy, hint }: Record<'field' | 'supported', string> & MisfitRemedy) =>
      misfitFix({ path: field, is: 'unsupported', value: '', expected: supported, remedy, hint }),
    cases: UNSUPPORTED_CASES,
  },
  'field-refused/invalid': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}`,
    why: (parameters: RuleParameters<typeof VALUE_RULES>) => `The API server refuses it: ${INVALID.why(parameters)}`,
    fix: INVALID.fix,
    rules: VALUE_RULES,
  },
  'field-refused/invalid-key': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} has the key ${value}`,
    why: (parameters: RuleParameters<typeof KEY_RULES>) => `The API server refuses it: ${INVALID_KEY.why(parameters)}`,
    fix: INVALID_KEY.fix,
    rules: KEY_RULES,
  },
  'field-refused/too-long': {
    severity: 'error',
    what: ({ field, size, unit }: { field: string; size: number; unit: SizeUnit }) => `${field} has ${size} ${unit}`,
    why: ({ most, unit }: { most: number; unit: SizeUnit }) => `The API server accepts at most ${most} ${unit}`,
    fix: ({ remedy }: { remedy: keyof typeof SIZE_FIXES }) => SIZE_FIXES[remedy],
    cases: Object.keys(SIZE_FIXES).map((remedy) => ({ remedy })),
  },
  'field-refused/forbidden': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is set`,
    why: (parameters: RuleParameters<typeof FORBIDDEN_RULES>) =>
      `The API server refuses this field: ${FORBIDDEN.why(parameters)}`,
    fix: FORBIDDEN.fix,
    rules: FORBIDDEN_RULES,
  },
  'field-refused/duplicate': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} repeats ${value}`,
    why: (parameters: RuleParameters<typeof UNIQUE_RULES>) =>
      `The API server refuses duplicates: ${UNIQUE.why(parameters)}`,
    fix: UNIQUE.fix,
    rules: UNIQUE_RULES,
  },

  // Values of charts.
  'chart-value-refused/unknown': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${placeInValues(path)} is not a known value`,
    why: ({ chart }: { chart: string }) =>
      `The templates of ${chart} do not read it: Helm refuses it if the chart has a schema, and otherwise it has no effect`,
    fix: ({ path, remedy, hint }: { path: string } & MisfitRemedy) =>
      misfitFix({ path, is: 'unknown', value: '', expected: '', remedy, hint }),
    cases: UNKNOWN_CASES,
  },
  'chart-value-refused/invalid': {
    severity: 'error',
    what: (misfit: LocatedMisfit) => `${placeInValues(misfit.path)} ${misfitText(misfit)}`,
    why: ({ chart }: { chart: string }) =>
      `The templates of ${chart} would fail, or render a setting that the components refuse`,
    fix: misfitFix,
    cases: MISFIT_CASES,
  },
  'chart-value-refused/type': {
    severity: 'error',
    what: ({ path, value, type }: Record<'path' | 'value' | 'type', string>) =>
      `${placeInValues(path)} is ${value}, not a ${type}`,
    why: ({ chart }: { chart: string }) =>
      `The templates of ${chart} would fail, or render a setting that the components refuse`,
    fix: ({ path, type, usual }: Record<'path' | 'type' | 'usual', string>) =>
      `set ${path} to a ${type}, such as ${usual}`,
  },
});
