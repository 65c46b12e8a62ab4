import { mergeValues, type Value, type Values } from '../kubernetes/values';
import { assign, parseJsonFlag, parseSetFlag } from './set-flag';

/** The sources of values, in the order in which one goes over the other: Helm's. */
export interface ValuesLayers {
  /** Contents of the `-f` files. */
  readonly files: readonly Values[];
  /** `--set-json`: keys with JSON. */
  readonly json: readonly string[];
  /** `--set`. */
  readonly typed: readonly string[];
  /** `--set-string`. */
  readonly strings: readonly string[];
  /** `--set-file`: keys with paths. */
  readonly contents: readonly string[];
}

/**
 * The values that `helm template` would lay over the chart's own.
 *
 * @param readFile - the text of a file that `--set-file` names
 * @throws SyntaxError where a flag is not in Helm's syntax, and whatever `readFile` throws
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
 * Returns what `--set` takes a text for: true, false, null and whole numbers are what they say, everything else is
 * text; so are numbers with a leading zero, and numbers that JSON readers would round.
 */
export function typedText(text: string): Value {
  const word = text.toLowerCase();
  if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? null;
  if (text === '0') return 0;
  if (!/^(?:[1-9]|[-+]\d)\d*$/.test(text)) return text;
  // Plus nothing, so that "-0" is 0.
  const number = Number(text) + 0;
  return Number.isSafeInteger(number) ? number : text;
}
