import {
  accessSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from './replace-file';
import { Misuse } from './terminal';

/** Checks that the file of `--out` can be written, as far as that is known before. @throws Misuse if it cannot */
export function checkOutFile(path: string): void {
  try {
    const place = existsSync(path) ? path : dirname(path);
    if (place === path && statSync(path).isDirectory()) throw new Error('it is a folder');
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Writes the file of an option: as a whole, or not at all where that is possible.
 *
 * @throws Misuse if it cannot be written
 */
export function writeOutFile(path: string, text: string, option = '--out'): void {
  try {
    const earlier = statSync(path, { throwIfNoEntry: false });
    if (earlier !== undefined) accessSync(path, constants.W_OK);
    if (!isReplaceable(path, earlier) || !replaced(path, text, earlier)) writeFileSync(path, text);
  } catch (error) {
    throw unwritable(path, error, option);
  }
}

function isReplaceable(path: string, earlier: Stats | undefined): boolean {
  // What a link without a file names is created by a write.
  if (earlier === undefined) return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  // Pipes and devices have readers, and a file of several names has all of them.
  return earlier.isFile() && earlier.nlink === 1 && !STANDARD_OUTPUTS.some((file) => isSame(fstatSync(file), earlier));
}

/** What is written to them later, by any process, belongs to the same file: /dev/stdout may be one. */
const STANDARD_OUTPUTS = [1, 2];

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** A file of this length cannot be written, here or beside it. */
const TOO_MUCH: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

/**
 * Replaces a file, also one that a link names. Returns false if that is impossible here, as in a folder that may not be
 * written, or for a file that is mounted by itself.
 *
 * @throws the error of the operating system if the disk is full: the earlier file stays as it is
 */
function replaced(path: string, text: string, earlier: Stats | undefined): boolean {
  try {
    replaceFile(earlier === undefined ? path : realpathSync(path), text, earlier);
    return true;
  } catch (error) {
    if (TOO_MUCH.has((error as NodeJS.ErrnoException).code)) throw error;
    return false;
  }
}

function unwritable(path: string, error: unknown, option = '--out'): Misuse {
  return new Misuse(`${option} ${path} cannot be written: ${error instanceof Error ? error.message : error}`);
}
