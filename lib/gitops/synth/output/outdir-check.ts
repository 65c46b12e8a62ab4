import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Problem } from '../../../kubernetes/findings/problem';
import { SYNTH_FINDINGS } from '../findings';
import { INDEX_FILE } from './cluster-index';

/** Checks that the output's folder is one, or can be made, and is nothing else besides. */
export function checkOutdir(outdir: string): readonly Problem[] {
  // Links are followed: where the output lies is up to the user.
  const place = nearest(outdir);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place === outdir ? checkOwn(outdir) : [];
  return [SYNTH_FINDINGS.outdirRefused({ outdir, fault: `${place} is not a folder` })];
}

/** Checks that a folder is not the root, the home directory, or one in which the program itself runs. */
function checkOwn(outdir: string): readonly Problem[] {
  const place = realpathSync(outdir);
  const role =
    place === dirname(place)
      ? 'the root of the file system'
      : place === realPath(homedir())
        ? 'the home directory'
        : `${realPath(process.cwd())}${sep}`.startsWith(`${place}${sep}`)
          ? 'the working directory, or a parent of it'
          : undefined;
  // Who has had the output there for long may go on.
  if (role === undefined || isOutput(place)) return [];
  return [SYNTH_FINDINGS.outdirRefused({ outdir, fault: `this is ${role}` })];
}

function isOutput(folder: string): boolean {
  return readdirSync(folder).some((name) => existsSync(join(folder, name, INDEX_FILE)));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Tells whether the output's folder is not there. */
export function isMissing(outdir: string): boolean {
  return !exists(outdir);
}

/** The path itself, or the first of those above it, that exists. */
function nearest(path: string): string {
  return exists(path) || dirname(path) === path ? path : nearest(dirname(path));
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file stands where a folder of the path should.
    return false;
  }
}
