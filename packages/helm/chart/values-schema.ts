import type { Budget, GoValue } from '../go/values';
import type { CompiledSchema, Draft } from './compiled-schema';
import { isJsonObject, type JsonValue, jsonOf } from './objects';
import { type PlainSchema, plainSchema } from './plain-schema';
import { SchemaError } from './schema-error';
import { markedNumbers, unmarkedText } from './schema-numbers';

/** The JSON schema of a chart's values. */
export class ValuesSchema {
  private read: ReadSchema | undefined;
  private compiled: CompiledSchema | undefined;

  constructor(private readonly json: Uint8Array) {}

  /**
   * Returns the problems of values, each with its path.
   *
   * @throws SchemaError if the schema cannot be used
   */
  check(values: ReadonlyMap<string, GoValue>, budget: Budget): readonly string[] {
    this.read ??= readSchema(this.json);
    const { schema, draft, plain, namesPrototype } = this.read;
    const json = jsonOf(values);
    const data = namesPrototype ? (JSON.parse(renamed(JSON.stringify(json))) as JsonValue) : json;
    if (plain?.accepts(data, budget)) return [];
    this.compiled ??= compile(schema, draft);
    const problems = this.compiled.check(data, budget).map(unmarkedText);
    return namesPrototype ? problems.map((problem) => problem.replaceAll(RENAMED, PROTOTYPE)) : problems;
  }
}

const PROTOTYPE = '__proto__';
/** Replaces `__proto__`, which the compiler ignores. */
const RENAMED = '\ue000proto__';

function renamed(text: string): string {
  return text.replaceAll(`"${PROTOTYPE}"`, `"${RENAMED}"`);
}

interface ReadSchema {
  readonly schema: JsonValue;
  readonly draft: Draft;
  readonly plain: PlainSchema | undefined;
  readonly namesPrototype: boolean;
}

function readSchema(json: Uint8Array): ReadSchema {
  const text = new TextDecoder().decode(json);
  const namesPrototype = text.includes(`"${PROTOTYPE}"`);
  const schema = parse(renamed(markedNumbers(text)));
  return { schema, draft: draftOf(schema), plain: plainSchema(schema), namesPrototype };
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new SchemaError(`it is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function draftOf(schema: JsonValue): Draft {
  const given = isJsonObject(schema) ? schema.$schema : undefined;
  if (typeof given !== 'string') return '2020';
  const draft =
    /^(?:https?:\/\/)?json-schema\.org\/(?:draft(?:-0|\/)([467]|2019(?=-09)|2020(?=-12))(?:-09|-12)?\/)?schema#?$/.exec(
      given,
    );
  if (draft === null) throw new SchemaError(`its $schema is "${given}", which is not a draft of JSON Schema`);
  return (draft[1] ?? '2020') as Draft;
}

/** Loads ajv for the schemas that need it. */
function compile(schema: JsonValue, draft: Draft): CompiledSchema {
  const { compiledSchema } = require('./compiled-schema') as typeof import('./compiled-schema');
  return compiledSchema(schema, draft);
}
