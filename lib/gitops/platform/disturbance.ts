import type { Problem } from '../../kubernetes/findings/problem';

/** Errors of a file system in which somebody else removes, moves or makes files meanwhile. */
const DISTURBANCES: readonly string[] = ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR'];

/** Tells whether an error is of that kind, and not of this library. */
export function isDisturbance(error: unknown): error is NodeJS.ErrnoException {
  if (typeof error !== 'object' || error === null || !('syscall' in error && 'code' in error)) return false;
  return DISTURBANCES.includes(String(error.code));
}

/** The problem that such an error is. */
export function disturbed(outdir: string, { message }: NodeJS.ErrnoException): Problem {
  return {
    code: 'output-disturbed',
    what: `${outdir} was changed by somebody else while it was written: ${message}`,
    why: 'A part of the output may be new and another old; the next synthesis repairs that',
    fix: 'run again, and nothing else beside it that changes the folder (`cdk8s synth` deletes it first)',
  };
}
