import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** A pipe, a device or a folder instead of a file. */
export class NotAFile extends Error {
  constructor(readonly path: string) {
    super(`${path} is not a regular file`);
  }
}

/** A file with more bytes than its reader takes. */
export class FileTooLarge extends Error {
  constructor(
    readonly path: string,
    readonly most: number,
  ) {
    super(`${path} has more than ${most} bytes`);
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

/**
 * Reads the bytes of a regular file likewise.
 *
 * @param most - the bytes that it may have
 * @throws FileTooLarge for a file with more
 */
export function readRegularBytes(path: string, most = Number.POSITIVE_INFINITY): Uint8Array {
  return readRegular(path, (descriptor) => new Uint8Array(readFileSync(descriptor)), most);
}

function readRegular<T>(path: string, read: (descriptor: number) => T, most = Number.POSITIVE_INFINITY): T {
  // Windows has neither the flag nor pipes among files.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new NotAFile(path);
    if (stats.size > most) throw new FileTooLarge(path, most);
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
