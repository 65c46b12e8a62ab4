import { basePath } from '../go/path';
import { compareStrings, stringOf } from '../template/go-string';
import { GoInt, type GoMethod, type GoObject, type GoValue } from '../template/values';
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
  const sizeOf = (path: string) => files.get(path)?.length ?? 0;
  return {
    goType: 'engine.files',
    goKind: 'map',
    /** Templates rarely look at bytes, so that only who iterates over files pays for them. */
    get data() {
      return new Map([...files].map(([path, data]): [string, GoValue] => [path, bytesObject(data)]));
    },
    fields: new Map(),
    methods: new Map<string, GoMethod>([
      ['Get', method((path) => textOf(files, path), sizeOf)],
      ['GetBytes', method((path) => bytesObject(files.get(path) ?? new Uint8Array()), sizeOf)],
      [
        'Glob',
        method(
          (pattern) => objectOf(matching(files, pattern)),
          ({ length }) => files.size * (10 + length),
        ),
      ],
      ['Lines', method((path) => linesOf(files, path), sizeOf)],
      ['AsConfig', yamlMethod(files, stringOf)],
      ['AsSecrets', yamlMethod(files, (data) => Buffer.from(data).toString('base64'))],
    ]),
  };
}

/** A method whose cost is that of so many characters. */
function method(call: (argument: string) => GoValue, charactersOf: (argument: string) => number): GoMethod {
  return {
    parameters: ['string'],
    call: ([argument], budget) => {
      budget.spend(1 + Math.ceil(charactersOf(argument as string) / 100));
      return call(argument as string);
    },
  };
}

function yamlMethod(files: FilesByPath, read: (data: Uint8Array) => string): GoMethod {
  return {
    parameters: [],
    call: (_, budget) => {
      for (const data of files.values()) budget.spend(1 + Math.ceil(data.length / 100));
      return yamlOf(files, read);
    },
  };
}

function textOf(files: FilesByPath, path: string): string {
  const data = files.get(path);
  return data === undefined ? '' : stringOf(data);
}

/** Returns the lines of a file, without an empty one at the end. Go panics if the file is empty; here it has no lines. */
function linesOf(files: FilesByPath, path: string): readonly string[] {
  const text = textOf(files, path);
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function yamlOf(files: FilesByPath, read: (data: Uint8Array) => string): string {
  const entries = [...files].map(([path, data]): [string, GoValue] => [basePath(path), read(data)]);
  return writeYaml(new Map(entries)).replace(/\n$/, '');
}

/** A pattern that is not well-formed matches all files. */
function matching(files: FilesByPath, pattern: string): FilesByPath {
  const matches = matcherOf(pattern);
  return new Map([...files].filter(([path]) => matches(path)));
}

function matcherOf(pattern: string): PathMatcher {
  try {
    return globPattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) return () => true;
    throw error;
  }
}

/** Returns a `[]byte`. */
function bytesObject(bytes: Uint8Array): GoObject {
  return {
    goType: '[]uint8',
    goKind: 'slice',
    get data() {
      return Array.from(bytes, (byte) => new GoInt(BigInt(byte), 'uint8'));
    },
    fields: new Map(),
    methods: new Map(),
  };
}
