import { lstatSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Finding } from '#base/findings/finding';
import { describeProblem } from '#base/findings/problem';
import { type BaselineEntry, baselineText, readBaseline } from '#lib/cli/lint/baseline';
import { gitRootOf, realPath } from '#lib/gitops/synth/output/git-place';
import { textAt } from './lint-files';
import { writeOutFile } from './out-file';
import { Misuse } from './terminal';

/** Reads the baseline in a file. @throws Misuse if the file is not a baseline */
export function readBaselineAt(file: string): readonly BaselineEntry[] {
  const read = readBaseline(textAt(file));
  if ('what' in read) throw new Misuse(`${file}: ${describeProblem(read)}`);
  return read;
}

/**
 * Writes a baseline to a new file, or replaces an earlier baseline. The function replaces no other file, because the
 * configuration of an untrusted repository may name any file.
 *
 * @throws Misuse for a link, for a path that is not a regular file, and for a file that is not a baseline
 */
export function writeBaselineAt(file: string, findings: readonly Finding[]): void {
  const earlier = lstatSync(file, { throwIfNoEntry: false });
  if (earlier?.isSymbolicLink() === true) refuse(file, 'it is a link: name its target');
  if (earlier !== undefined && !earlier.isFile()) refuse(file, 'it is not a regular file');
  if (earlier !== undefined && 'what' in readBaseline(textAt(file))) {
    refuse(file, 'it is a file that lint did not write: name another one, or delete it');
  }
  writeOutFile(file, baselineText(findings), '--baseline');
}

/**
 * Checks that the baseline of a configuration is in the same repository or, without one, below the same folder.
 *
 * @throws Misuse if the baseline is outside, also through links
 */
export function checkBaselinePlace(file: string, folder: string): void {
  const real = realPath(resolve(folder));
  const root = gitRootOf(real) ?? real;
  const place = relative(root, realPath(file));
  const [first] = place.split(sep);
  if (first === '..' || isAbsolute(place)) refuse(file, `the configuration may only name a file in ${root}`);
  if (first === '.git') refuse(file, 'it is among the files of Git');
}

function refuse(file: string, reason: string): never {
  throw new Misuse(`the baseline ${file} is refused: ${reason}`);
}
