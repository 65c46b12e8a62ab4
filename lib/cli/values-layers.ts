import { mergeValues, type Value, type Values } from '../kubernetes/values';
import { assign } from './set/assignment';
import { parseJsonFlag, parseSetFlag } from './set/set-flag';
import { typedText } from './set/typed-text';

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
