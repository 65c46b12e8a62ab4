import { FunctionError, GoInt, type GoValue } from '#helm/go/values';
import { readYaml } from '#helm/yaml/read-yaml';
import { type Assignment, assignIn, type MapsOf, parseJsonFlag, parseSetFlag } from './set-flag';
import { typedText, type ValuesLayers } from './values-layers';

/** Values for a chart, with the types that they have in templates: `--set` makes integers, files do not. */
export type ChartValues = Map<string, GoValue>;

/** The sources of values, in Helm's order of precedence. */
export interface ChartValuesLayers extends Omit<ValuesLayers, 'files'> {
  /** Texts of the `-f` files, by their names. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
}

/** A values file that is not a YAML map. */
export class ValuesFileError extends Error {
  constructor(
    readonly file: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${reason}`, options);
  }
}

/**
 * Returns the values with which `helm template` overrides those of a chart.
 *
 * @param readFile - returns the text of a file in `--set-file`
 * @throws ValuesFileError if a file is not a YAML map
 * @throws SyntaxError if a flag is not in Helm's syntax
 */
export function chartValues(layers: ChartValuesLayers, readFile: (path: string) => string): ChartValues {
  const values = layers.files.reduce<ChartValues>((merged, file) => merge(merged, valuesIn(file)), new Map());
  const assignments: readonly Assignment<GoValue>[] = [
    ...layers.json.flatMap(parseJsonFlag).map(({ path, value }) => ({ path, value: goValueOf(value) })),
    ...layers.typed.flatMap((flag) => parseSetFlag<GoValue>(flag, typedValue)),
    ...layers.strings.flatMap((flag) => parseSetFlag<GoValue>(flag, (text) => text)),
    ...layers.contents.flatMap((flag) => parseSetFlag<GoValue>(flag, readFile)),
  ];
  return assignments.reduce((set, assignment) => assignIn(GO_MAPS, set, assignment), values);
}

function valuesIn({ file, text }: { readonly file: string; readonly text: string }): ChartValues {
  let values: GoValue;
  try {
    values = readYaml(text);
  } catch (error) {
    if (error instanceof FunctionError) throw new ValuesFileError(file, error.message, { cause: error });
    throw error;
  }
  if (values === null || values === undefined) return new Map();
  if (values instanceof Map) return values;
  throw new ValuesFileError(file, 'not a map of values');
}

/** Null replaces values of earlier files, and deletes those of the chart. */
function merge(earlier: ChartValues, later: ChartValues): ChartValues {
  const merged = new Map(earlier);
  for (const [key, value] of later) {
    const before = merged.get(key);
    merged.set(key, value instanceof Map && before instanceof Map ? merge(before, value) : value);
  }
  return merged;
}

function typedValue(text: string): GoValue {
  if (/^[-+]?\d+$/.test(text) && (text === '0' || !text.startsWith('0'))) {
    const number = BigInt(text.replace(/^\+/, ''));
    return BigInt.asIntN(64, number) === number ? new GoInt(number, 'int64') : text;
  }
  return typedText(text) as GoValue;
}

function goValueOf(json: unknown): GoValue {
  if (Array.isArray(json)) return json.map(goValueOf);
  if (typeof json !== 'object' || json === null) return json as GoValue;
  return new Map(Object.entries(json).map(([key, value]) => [key, goValueOf(value)]));
}

const GO_MAPS: MapsOf<GoValue, ChartValues> = {
  isMap: (value): value is ChartValues => value instanceof Map,
  get: (map, key) => map.get(key),
  set: (map, key, value) => map.set(key, value),
  create: () => new Map(),
};
