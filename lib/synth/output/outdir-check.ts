import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Problem } from '../../problems/problem';

/** Checks that the output's folder is one, or can be made. */
export function checkOutdir(outdir: string): readonly Problem[] {
  // Links are followed: where the output lies is up to the user.
  const place = nearest(outdir);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return [];
  return [
    {
      code: 'outdir-refused',
      what: `outdir is ${outdir}, but ${place} is not a folder`,
      why: 'The output is a folder for each cluster, and nothing that we did not write is replaced',
      fix: 'move it away, or choose another outdir',
    },
  ];
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
