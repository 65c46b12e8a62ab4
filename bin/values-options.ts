import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { CLI_FINDINGS } from '#lib/cli/findings';
import { layeredValues } from '#lib/cli/values-layers';
import { MAX_NESTED, plainCopy } from '#lib/kubernetes/plain-data';
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

/** The line that `helm get values` prints above the values without `-o yaml`, with and without `--all`. */
const HEADING = /^\ufeff?(?:USER-SUPPLIED|COMPUTED) VALUES:\r?\n/;

/**
 * Returns the values of the options, or the problems of reading them.
 *
 * @param ofRelease the files are what `helm get values` prints, not what `helm template` reads
 */
export async function readValues(options: ValuesOptions, terminal: Terminal, ofRelease = false): Promise<ReadValues> {
  const paths = options.values ?? [];
  if (paths.filter((path) => path === STDIN).length > 1) {
    throw new Misuse('standard input can be read only once: pass "-f -" once');
  }
  const files: Values[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    const content = path === STDIN ? await readStdin(terminal) : readFile(path, terminal);
    try {
      files.push(valuesIn(ofRelease ? content.replace(HEADING, '') : content));
    } catch (error) {
      const file = path === STDIN ? 'standard input' : path;
      problems.push(CLI_FINDINGS.fileUnreadableValues({ file, reason: messageOf(error) }));
    }
  }
  if (problems.length > 0) return { problems };
  const { data: values, problems: unwritable } = plainCopy(layered(options, files, terminal), 'values');
  return unwritable.length > 0 ? { problems: unwritable } : { values };
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
