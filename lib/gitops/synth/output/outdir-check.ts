import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Problem } from '#base/findings/problem';
import { SYNTH_FINDINGS } from '../findings';
import { INDEX_FILE } from './cluster-index';

/** Checks that the output's folder exists or can be created, and has no other purpose. */
export function checkOutdir(outdir: string): readonly Problem[] {
  // Links are followed: users may place the output anywhere.
  const place = nearest(outdir);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place === outdir ? checkOwn(outdir) : [];
  return [SYNTH_FINDINGS.outdirRefusedFile({ outdir, place })];
}

function checkOwn(outdir: string): readonly Problem[] {
  const place = realpathSync(outdir);
  const refuse =
    place === dirname(place)
      ? SYNTH_FINDINGS.outdirRefusedRoot
      : place === realPath(homedir())
        ? SYNTH_FINDINGS.outdirRefusedHome
        : `${realPath(process.cwd())}${sep}`.startsWith(`${place}${sep}`)
          ? SYNTH_FINDINGS.outdirRefusedWorkingDirectory
          : undefined;
  // A folder that already contains an output stays allowed.
  return refuse === undefined || isOutput(place) ? [] : [refuse({ outdir })];
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

/** Whether the output's folder is missing. */
export function isMissing(outdir: string): boolean {
  return !exists(outdir);
}

function nearest(path: string): string {
  return exists(path) || dirname(path) === path ? path : nearest(dirname(path));
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A part of the path is a file.
    return false;
  }
}
