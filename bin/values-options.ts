import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { MAX_NESTED, plainCopy } from '#kubernetes/objects/plain-data';
import { CLI_FINDINGS } from '#lib/cli/findings';
import { layeredValues } from '#lib/cli/values-layers';
import { Misuse, type Terminal, textIn } from './terminal';

/** The options for values, as in `helm template`. */
export interface ValuesOptions {
  readonly values?: readonly string[];
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly setFile?: readonly string[];
  readonly setJson?: readonly string[];
}

/** Values, or the problems of reading them. */
export type ReadValues = { readonly values: Values } | { readonly problems: readonly Problem[] };

const STDIN = '-';

/** Adds the options for values, as in `helm template`. */
export function addValuesOptions(command: Command): Command {
  return command
    .option('-f, --values <file>', 'values file, "-" for standard input (repeatable)', files)
    .option('--set <key=value>', 'values: a.b=1,c[0].d=x,e={1,2} (repeatable)', appended)
    .option('--set-string <key=value>', 'values that are always strings', appended)
    .option('--set-file <key=path>', 'values read from files', appended)
    .option('--set-json <key=json>', 'values in JSON', appended);
}

/** A file of values, by its name in messages. */
export interface FileContent {
  readonly file: string;
  readonly content: string;
}

/** Returns the contents of the files that the options name. */
export async function readContents(options: ValuesOptions, terminal: Terminal): Promise<readonly FileContent[]> {
  const paths = options.values ?? [];
  if (paths.filter((path) => path === STDIN).length > 1) {
    throw new Misuse('standard input can be read only once: pass "-f -" once');
  }
  const contents: FileContent[] = [];
  for (const path of paths) {
    const content = path === STDIN ? await readStdin(terminal) : readFile(path, terminal);
    contents.push({ file: path === STDIN ? 'standard input' : path, content });
  }
  return contents;
}

/** Returns the values of the options, or the problems of reading them. */
export async function readValues(options: ValuesOptions, terminal: Terminal): Promise<ReadValues> {
  const files: Values[] = [];
  const problems: Problem[] = [];
  for (const { file, content } of await readContents(options, terminal)) {
    try {
      files.push(valuesIn(content));
    } catch (error) {
      problems.push(CLI_FINDINGS.fileUnreadableValues({ file, reason: messageOf(error) }));
    }
  }
  return problems.length > 0 ? { problems } : layeredOver(options, files, terminal);
}

/** Returns the values of files with those of the other options, which override them. */
export function layeredOver(options: ValuesOptions, files: readonly Values[], terminal: Terminal): ReadValues {
  const { data: values, problems } = plainCopy(layered(options, files, terminal), 'values');
  return problems.length > 0 ? { problems } : { values };
}

/** The YAML parser is loaded only if needed. */
function valuesIn(content: string): Values {
  const { parseValues } = require('#base/values-document') as typeof import('#base/values-document');
  return parseValues(content);
}

function layered(options: ValuesOptions, files: readonly Values[], terminal: Terminal): Values {
  const { set: typed = [], setString: strings = [], setFile: contents = [], setJson: json = [] } = options;
  try {
    return layeredValues({ files, typed, strings, contents, json }, (path) => readFile(path, terminal));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Misuse(`a --set option is not in Helm's syntax: ${error.message}`);
    if (error instanceof RangeError) throw new Misuse(`values are nested more than ${MAX_NESTED} levels deep`);
    throw error;
  }
}

/** Returns the text of a file that the command line names. */
export function readFile(path: string, { readFile }: Terminal): string {
  try {
    return readFile(path);
  } catch (error) {
    throw new Misuse(`cannot read ${path}: ${messageOf(error)}`);
  }
}

/** Returns the text of standard input. */
export async function readStdin({ stdin }: Terminal): Promise<string> {
  try {
    return textIn(await buffer(stdin));
  } catch (error) {
    throw new Misuse(`cannot read standard input: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function appended(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Splits a list of files at its commas, as Helm does. */
function files(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(',')];
}
