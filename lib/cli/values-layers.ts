import { mergeValues, type Value, type Values } from '#base/values';
import { assign, parseJsonFlag, parseSetFlag } from './set-flag';

/** The sources of values, in Helm's order of precedence. */
export interface ValuesLayers {
  /** Contents of the `-f` files. */
  readonly files: readonly Values[];
  /** `--set-json`: keys with JSON values. */
  readonly json: readonly string[];
  /** `--set`. */
  readonly typed: readonly string[];
  /** `--set-string`. */
  readonly strings: readonly string[];
  /** `--set-file`: keys with paths. */
  readonly contents: readonly string[];
}

/**
 * Returns the values with which `helm template` overrides the values of a chart.
 *
 * @param readFile - returns the text of a file in `--set-file`
 * @throws SyntaxError if a flag is not in Helm's syntax, and anything that `readFile` throws
 */
export function layeredValues(layers: ValuesLayers, readFile: (path: string) => string): Values {
  const files = layers.files.reduce((values, file) => mergeValues(values, file), {} as Values);
  const json = layers.json.flatMap(parseJsonFlag).reduce(assign, files);
  const typed = withFlags(json, layers.typed, typedText);
  const strings = withFlags(typed, layers.strings, (text) => text);
  return withFlags(strings, layers.contents, readFile);
}

function withFlags(values: Values, flags: readonly string[], read: (text: string) => Value): Values {
  return flags.flatMap((flag) => parseSetFlag(flag, read)).reduce(assign, values);
}

const WORDS: Readonly<Record<string, Value>> = { true: true, false: false, null: null };

/**
 * Parses a value as `--set` does: true, false, null and whole numbers are typed, everything else is a string, including
 * numbers with a leading zero, and numbers that JSON parsers would round.
 */
export function typedText(text: string): Value {
  const word = text.toLowerCase();
  if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? null;
  if (text === '0') return 0;
  if (!/^(?:[1-9]|[-+]\d)\d*$/.test(text)) return text;
  // Adding 0 turns "-0" into 0.
  const number = Number(text) + 0;
  return Number.isSafeInteger(number) ? number : text;
}
