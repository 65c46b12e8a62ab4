import type { Problem } from '../../kubernetes/findings/problem';
import { PLATFORM_FINDINGS } from './findings';

/** Errors of a file system in which somebody else removes, moves or makes files meanwhile. */
const DISTURBANCES: readonly string[] = ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR'];

/** Tells whether an error is of that kind, and not of this library. */
export function isDisturbance(error: unknown): error is NodeJS.ErrnoException {
  if (typeof error !== 'object' || error === null || !('syscall' in error && 'code' in error)) return false;
  return DISTURBANCES.includes(String(error.code));
}

/** The problem that such an error is. */
export function disturbed(outdir: string, { message }: NodeJS.ErrnoException): Problem {
  return PLATFORM_FINDINGS.outputModifiedConcurrently({ outdir, error: message });
}
