import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** Writes the file of `--out`. @throws Misuse if it cannot be written */
export function writeOutFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): Misuse {
  return new Misuse(`--out ${path} cannot be written: ${error instanceof Error ? error.message : error}`);
}
