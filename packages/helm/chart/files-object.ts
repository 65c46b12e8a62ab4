import { CHARACTERS_PER_STEP } from '../go/budget';
import { compareStrings, stringOf } from '../go/go-string';
import { basePath } from '../go/path';
import { bytesObject, stringList } from '../go/typed-values';
import type { Budget, GoMethod, GoObject, GoValue } from '../go/values';
import { writeYaml } from '../yaml/write-yaml';
import type { ChartFile } from './chart';
import { globPattern, type PathMatcher, PatternError } from './path-match';

type FilesByPath = ReadonlyMap<string, Uint8Array>;

/** Returns `.Files`: the files of a chart that are neither templates nor values. */
export function filesObject(files: readonly ChartFile[]): GoObject {
  const sorted = [...files].sort((a, b) => compareStrings(a.name, b.name));
  return objectOf(new Map(sorted.map(({ name, data }) => [name, data])));
}

function objectOf(files: FilesByPath): GoObject {
  let data: Map<string, GoValue> | undefined;
  return {
    goType: 'engine.files',
    goKind: 'map',
    /** Computed on demand: only templates that iterate over files need the bytes. */
    get data() {
      data ??= new Map([...files].map(([path, bytes]): [string, GoValue] => [path, bytesObject(bytes)]));
      return data;
    },
    fields: new Map(),
    methods: new Map<string, GoMethod>([
      ['Get', method((path) => textOf(files, path))],
      ['GetBytes', method((path) => bytesObject(files.get(path) ?? new Uint8Array()))],
      ['Glob', method((pattern, budget) => objectOf(matching(files, pattern, budget)))],
      ['Lines', method((path) => linesOf(files, path))],
      ['AsConfig', yamlMethod(files, stringOf)],
      ['AsSecrets', yamlMethod(files, (bytes) => Buffer.from(bytes).toString('base64'))],
    ]),
  };
}

function method(call: (argument: string, budget: Budget) => GoValue): GoMethod {
  return { parameters: ['string'], call: ([argument], budget) => call(argument as string, budget) };
}

function yamlMethod(files: FilesByPath, read: (data: Uint8Array) => string): GoMethod {
  return {
    parameters: [],
    call: (_, budget) => {
      for (const bytes of files.values()) budget.spend(bytes.length / CHARACTERS_PER_STEP);
      const entries = [...files].map(([path, bytes]): [string, GoValue] => [basePath(path), read(bytes)]);
      return writeYaml(new Map(entries), budget).replace(/\n$/, '');
    },
  };
}

function textOf(files: FilesByPath, path: string): string {
  const data = files.get(path);
  return data === undefined ? '' : stringOf(data);
}

/** Returns the lines of a file, without an empty last one. For an empty file, Go panics, and this returns no lines. */
function linesOf(files: FilesByPath, path: string): GoObject {
  const text = textOf(files, path);
  return stringList(text === '' ? [] : text.replace(/\n$/, '').split('\n'));
}

/** An invalid pattern matches all files, as in Helm. */
function matching(files: FilesByPath, pattern: string, budget: Budget): FilesByPath {
  const matches = matcherOf(pattern, budget);
  return new Map([...files].filter(([path]) => matches(path)));
}

function matcherOf(pattern: string, budget: Budget): PathMatcher {
  try {
    return globPattern(pattern, budget);
  } catch (error) {
    if (error instanceof PatternError) return () => true;
    throw error;
  }
}
