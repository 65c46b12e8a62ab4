import { parse } from 'yaml';
import { isObject } from '#base/is-object';
import { pointer } from '#base/json-pointer';
import { shortened } from '#base/shortened';
import { HELM_YAML } from '#base/values-document';
import { checkDepth } from '#base/yaml-documents';

/** A difference between a value and a pattern. */
export interface Mismatch {
  /** JSON pointer of the value. */
  readonly path: string;
  /** The actual value, and the expected one. */
  readonly message: string;
}

/** A part of a pattern with its own matching: one of `Match`, or your own. */
export interface Matcher {
  /** Returns how a value differs from the expected one: empty if it matches. */
  mismatches(actual: unknown, path: string): readonly Mismatch[];
}

/** Matchers for parts of a pattern. Without one, maps match maps that contain them, and lists item by item. */
export const Match = {
  /** Any value except null. */
  anyValue: (): Matcher => ({
    mismatches: (actual, path) => (actual === undefined || actual === null ? [unlike(path, actual, 'any value')] : []),
  }),

  /** No value. */
  absent: (): Matcher => ({
    mismatches: (actual, path) => (actual === undefined ? [] : [unlike(path, actual, 'absent')]),
  }),

  /** A list that contains an item for each pattern, in any order. */
  arrayWith: (patterns: readonly unknown[]): Matcher => ({
    mismatches(actual, path) {
      if (!Array.isArray(actual)) return [unlike(path, actual, 'a list')];
      return patterns
        .filter((pattern) => actual.every((item) => compare(pattern, item, path).length > 0))
        .map((pattern) => ({ path, message: `has no item like ${shown(pattern)}` }));
    },
  }),

  /** A map that contains the pattern, also inside `Match.exact`. */
  objectLike: (pattern: Readonly<Record<string, unknown>>): Matcher => ({
    mismatches: (actual, path) => compare(pattern, actual, path),
  }),

  /** A value with the members of the pattern and no others. */
  exact: (pattern: unknown): Matcher => ({ mismatches: (actual, path) => compare(pattern, actual, path, true) }),

  /** A value that does not match the pattern. */
  not: (pattern: unknown): Matcher => ({
    mismatches: (actual, path) =>
      compare(pattern, actual, path).length > 0 ? [] : [{ path, message: `is ${shown(actual)}, which matches` }],
  }),

  /** A string in which a regular expression matches. */
  stringLikeRegexp: (expression: string | RegExp): Matcher => ({
    mismatches(actual, path) {
      const found = typeof actual === 'string' && new RegExp(expression).test(actual);
      return found ? [] : [unlike(path, actual, `a text like ${new RegExp(expression)}`)];
    },
  }),

  /** A string of YAML or JSON whose data match the pattern, such as the values in a ConfigMap. */
  serializedYaml: (pattern: unknown): Matcher => ({
    mismatches(actual, path) {
      if (typeof actual !== 'string') return [unlike(path, actual, 'YAML')];
      try {
        return compare(pattern, parseYaml(actual), path);
      } catch {
        return [unlike(path, actual, 'YAML')];
      }
    },
  }),
};

/** Returns how a value differs from a pattern: empty if it matches. */
export function compare(pattern: unknown, actual: unknown, path = '', isExact = false): readonly Mismatch[] {
  if (isMatcher(pattern)) return pattern.mismatches(actual, path);
  if (Array.isArray(pattern)) {
    if (!Array.isArray(actual)) return [unlike(path, actual, shown(pattern))];
    const lengths = `has ${actual.length} items, not ${pattern.length}`;
    if (actual.length !== pattern.length) return [{ path, message: lengths }];
    return pattern.flatMap((item, index) => compare(item, actual[index], pointer(path, index), isExact));
  }
  if (!isObject(pattern)) return Object.is(pattern, actual) ? [] : [unlike(path, actual, shown(pattern))];
  const keys = Object.keys(pattern);
  // Each absent part of a map is a mismatch, so that the nearest object is the one with most parts.
  if (actual === undefined ? keys.length === 0 : !isObject(actual)) return [unlike(path, actual, shown(pattern))];
  const map = isObject(actual) ? actual : {};
  const others = isExact ? Object.keys(map).filter((key) => !keys.includes(key)) : [];
  return [
    ...keys.flatMap((key) => compare(pattern[key], memberIn(map, key), pointer(path, key), isExact)),
    ...others.map((key) => unlike(pointer(path, key), map[key], 'absent')),
  ];
}

const memberIn = (map: Readonly<Record<string, unknown>>, key: string) =>
  Object.hasOwn(map, key) ? map[key] : undefined;

const isMatcher = (pattern: unknown): pattern is Matcher =>
  isObject(pattern) && typeof pattern.mismatches === 'function';

const unlike = (path: string, actual: unknown, expected: string): Mismatch => ({
  path,
  message: `is ${shown(actual)}, not ${expected}`,
});

/** Parses YAML as Helm and Kubernetes do. @throws Error if it is invalid */
export function parseYaml(text: string): unknown {
  checkDepth(text);
  return parse(text, HELM_YAML);
}

const MAX_LENGTH = 120;

/** Formats a value on one line, long ones truncated. */
export function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value, (_, part) => (isMatcher(part) ? '<matcher>' : part)) ?? String(value);
  return shortened(text, MAX_LENGTH);
}
