import { checkLength } from '../go/budget';
import { define } from '../go/define';
import { NIL_LIST, NilMap } from '../go/reflect';
import type { Budget, GoFunction, GoFunctions, GoValue } from '../go/values';
import { FunctionError } from '../go/values';
import { JsonOverflow, readJson, writeJson, writePrettyJson, writeRawJson } from '../yaml/json';
import { readYaml } from '../yaml/read-yaml';
import { readToml, writeToml } from '../yaml/toml';
import { writePrettyYaml, writeYaml } from '../yaml/write-yaml';

type Write = (value: GoValue, budget: Budget) => string;

const writing = (write: Write): GoFunction => define(['any'], ([value], budget) => write(value, budget));

const writingOr = (write: Write, failed: (message: string) => string): GoFunction =>
  define(['any'], ([value], budget) => {
    try {
      return write(value, budget);
    } catch (error) {
      return failed(messageOf(error));
    }
  });

type Read = (text: string, budget: Budget) => GoValue;

/** Parsed data takes several times the memory of its text. */
const READ_AS_MUCH = 5;

const reading = (read: Read): GoFunction =>
  define(['string'], ([text], budget) => {
    checkLength(READ_AS_MUCH * text.length);
    return read(text, budget);
  });

const readingOr = (read: Read, failed: (message: string, value?: GoValue) => GoValue): GoFunction =>
  reading((text, budget) => {
    try {
      return read(text, budget);
    } catch (error) {
      return failed(messageOf(error), error instanceof JsonOverflow ? error.value : undefined);
    }
  });

/** Returns the message of an error in the data. Rethrows every other error, which is a bug. */
function messageOf(error: unknown): string {
  if (error instanceof FunctionError) return error.message;
  throw error;
}

/** Returns the data that was read, with the message as `Error`: Helm's reading functions report errors this way. */
function errorMap(message: string, value?: GoValue): GoValue {
  return new Map<string, GoValue>([...(value instanceof Map ? value : []), ['Error', message]]);
}

interface Wanted {
  readonly prefix: string;
  /** Returns the value for `null`. */
  readonly nothing: () => GoValue;
}

const asMap = (read: Read, wanted: Wanted): Read => as('object', 'map[string]interface {}', read, wanted);
const asList = (read: Read, wanted: Wanted): Read => as('array', '[]interface {}', read, wanted);

/** Reports a number that is too large only if the data is of the wanted kind. */
const as =
  (kind: 'object' | 'array', type: string, read: Read, { prefix, nothing }: Wanted): Read =>
  (text, budget) => {
    let value: GoValue;
    try {
      value = read(text, budget);
    } catch (error) {
      if (!(error instanceof JsonOverflow) || jsonKind(error.value) === kind) throw error;
      value = error.value;
    }
    if (value === null || value === undefined) return nothing();
    if (jsonKind(value) === kind) return value;
    throw new FunctionError(`${prefix}cannot unmarshal ${jsonKind(value)} into Go value of type ${type}`);
  };

function jsonKind(value: GoValue): string {
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  return { boolean: 'bool', string: 'string' }[typeof value as string] ?? 'number';
}

const nothing = (): string => '';
const OF_JSON = 'json: ';
const OF_YAML = 'error unmarshaling JSON: while decoding JSON: json: ';
const withoutBreak: Write = (value, budget) => writeYaml(value, budget).replace(/\n$/, '');
const prettyWithoutBreak: Write = (value, budget) => writePrettyYaml(value, budget).replace(/\n$/, '');

const writesToml = writingOr(writeToml, (message) => message);

const toToml: GoFunction = {
  ...writesToml,
  call: ([value], budget) => {
    if (value === null || value === undefined) {
      throw new FunctionError('reflect: call of reflect.Value.Type on zero Value');
    }
    return writesToml.call([value], budget);
  },
};

/** Functions that read and write YAML, JSON and TOML. */
export const dataFunctions: GoFunctions = new Map(
  Object.entries({
    toYaml: writingOr(withoutBreak, nothing),
    toYamlPretty: writingOr(prettyWithoutBreak, nothing),
    toJson: writingOr(writeJson, nothing),
    mustToJson: writing(writeJson),
    toPrettyJson: writingOr(writePrettyJson, nothing),
    mustToPrettyJson: writing(writePrettyJson),
    toRawJson: writing(writeRawJson),
    mustToRawJson: writing(writeRawJson),
    toToml,
    fromYaml: readingOr(asMap(readYaml, { prefix: OF_YAML, nothing: () => new Map() }), errorMap),
    fromYamlArray: readingOr(asList(readYaml, { prefix: OF_YAML, nothing: () => [] }), (message) => [message]),
    fromJson: readingOr(asMap(readJson, { prefix: OF_JSON, nothing: () => new NilMap() }), errorMap),
    fromJsonArray: readingOr(asList(readJson, { prefix: OF_JSON, nothing: () => NIL_LIST }), (message) => [message]),
    mustFromJson: reading(readJson),
    fromToml: readingOr(readToml, errorMap),
  }),
);
