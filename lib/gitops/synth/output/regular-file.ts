import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** A pipe, a device or a folder instead of a file. */
export class NotAFile extends Error {
  constructor(readonly path: string) {
    super(`${path} is not a regular file`);
  }
}

/**
 * Reads a regular file, also through a link. A pipe, which may have no writer, is opened without waiting for one, and a
 * device, which may be endless, is not read.
 *
 * @throws NotAFile for anything else
 */
export function readRegularFile(path: string): string {
  return readRegular(path, (descriptor) => readFileSync(descriptor, 'utf8'));
}

/** Reads the bytes of a regular file likewise. */
export function readRegularBytes(path: string): Uint8Array {
  return readRegular(path, (descriptor) => new Uint8Array(readFileSync(descriptor)));
}

function readRegular<T>(path: string, read: (descriptor: number) => T): T {
  // Windows has neither the flag nor pipes among files.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new NotAFile(path);
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
