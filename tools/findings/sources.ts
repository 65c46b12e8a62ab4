import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Module, parseSync } from '@swc/core';

/** The repository, to which paths of sources are relative. */
const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['bin', 'lib', 'operator/api', 'operator/src'];

/** A TypeScript file. */
export interface Source {
  /** The path in the repository. */
  readonly path: string;
  readonly text: string;
  readonly module: Module;
}

/** A piece of syntax of any kind. */
export type Node = { readonly type: string };

/** The first byte of a piece of syntax and the first after it, from 1. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Sources by path. */
export type Sources = ReadonlyMap<string, Source>;

/** Reads all sources of the library and the operator. */
export function readSources(): Sources {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
      .map((path) => join(ROOT, folder, path)),
  );
  return parseSources(
    Object.fromEntries(paths.sort().map((path) => [relative(ROOT, path), readFileSync(path, 'utf8')])),
  );
}

/** Parses texts by their paths. */
export function parseSources(texts: Readonly<Record<string, string>>): Sources {
  return new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      { path, text, module: parseSync(text, { syntax: 'typescript', target: 'es2023' }) },
    ]),
  );
}

/** The source that an import of another one is of; undefined where it is a package. */
export function importedSource(sources: Sources, from: Source, specifier: string): Source | undefined {
  return specifier.startsWith('.') ? sources.get(`${join(dirname(from.path), specifier)}.ts`) : undefined;
}

/** The syntax directly below a piece of syntax, in the order of the text. */
export function childrenOf(node: object): readonly Node[] {
  return Object.values(node).flatMap(nodesIn);
}

function nodesIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null) return [];
  return 'type' in value && typeof value.type === 'string' ? [value as Node] : childrenOf(value);
}

/** The text of a piece of syntax, whose place counts bytes from 1. */
export function textOf(source: Source, { span }: { readonly span: Span }): string {
  return Buffer.from(source.text)
    .subarray(span.start - 1, span.end - 1)
    .toString();
}
