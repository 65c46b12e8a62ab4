import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listed } from '#base/findings/listed';
import { printableLine } from '#base/findings/printable-text';
import { readRegularFile } from '#helm/chart/regular-file';
import { DEFAULT_OUTPUT, type FoundOutput, overviewText } from '#lib/cli/overview';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { gitRootOf } from '#lib/gitops/synth/output/git-place';
import { EXIT } from './terminal';

const MAX_LISTED = 8;

const PROGRAMS = ['main.ts', 'linkerd.ts'];

/** Prints what a folder contains, and the next commands; the help if there is no output. */
export function overview(folder: string, stdout: { write(text: string): unknown }, printHelp: () => void): number {
  const [output, ...others] = outputsIn(folder);
  if (output === undefined) {
    printHelp();
    const program = PROGRAMS.find((name) => existsSync(join(folder, name)));
    stdout.write(
      program === undefined
        ? '\nThis folder contains no output. Create a project: run this command again, with "init" after it.\n'
        : `\nThis folder contains a program, but no output. Synthesize: npx tsx ${program}\n`,
    );
    return EXIT.done;
  }
  stdout.write(overviewText(output, gitRootOf(folder) !== undefined));
  if (others.length > 0) {
    const names = others.map((other) => other.folder);
    stdout.write(`\n${printableLine(`Other outputs: ${listed(names, MAX_LISTED)}`)}\n`);
  }
  return EXIT.done;
}

/** Returns the output in the default folder first, then in the folder itself, then in its other subfolders. */
function outputsIn(folder: string): readonly FoundOutput[] {
  const inside = namesIn(folder).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  return [...new Set([DEFAULT_OUTPUT, '.', ...inside])].flatMap((name) => {
    const indexes = indexesIn(join(folder, name));
    return indexes.size === 0 ? [] : [{ folder: name, indexes }];
  });
}

function indexesIn(folder: string): ReadonlyMap<string, string> {
  return new Map(
    namesIn(folder).flatMap((name) => {
      const path = join(folder, name, INDEX_FILE);
      return isFile(path) ? [[name, readRegularFile(path)]] : [];
    }),
  );
}

/** Returns an empty list for a path that is not a folder, or that cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
