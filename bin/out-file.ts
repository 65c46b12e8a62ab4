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

/** Checks in advance whether the file of `--out` can be written. @throws Misuse if it cannot */
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
 * Writes the file of an option: if possible, completely or not at all.
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
  // A write through a link without a target creates the target.
  if (earlier === undefined) return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  // A replacement would cut off the readers of a pipe or device, and the other hard links of a file.
  return earlier.isFile() && earlier.nlink === 1 && !STANDARD_OUTPUTS.some((file) => isSame(fstatSync(file), earlier));
}

/** Later output of any process must go to the same file: the path may be /dev/stdout. */
const STANDARD_OUTPUTS = [1, 2];

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** Errors such as a full disk: writing the file in place would fail, too. */
const TOO_MUCH: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

/**
 * Replaces a file, or the target of a link. Returns false if the file cannot be replaced, such as in a read-only
 * folder, or if the file itself is a mount.
 *
 * @throws the error of the operating system if the disk is full: the earlier file remains unchanged
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
