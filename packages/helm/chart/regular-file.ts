import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** Thrown for a pipe, a device or a folder instead of a file. */
export class NotAFile extends Error {
  constructor(readonly path: string) {
    super(`${path} is not a regular file`);
  }
}

/** Thrown for a file with more bytes than its reader accepts. */
export class FileTooLarge extends Error {
  constructor(
    readonly path: string,
    readonly most: number,
  ) {
    super(`${path} has more than ${most} bytes`);
  }
}

/**
 * Reads a regular file, also through a link. It opens a pipe without waiting for a writer, and does not read a device,
 * which may be endless.
 *
 * @throws NotAFile for anything else
 */
export function readRegularFile(path: string): string {
  return readRegular(path, (descriptor) => readFileSync(descriptor, 'utf8'));
}

/** Larger files, which are rare, are not compared. */
const MAX_COMPARED = 1024 * 1024;

/**
 * Reads regular files that are often equal, such as those of the clusters of a fleet. Equal files become the same
 * string. A file that equals the last file with its name is not decoded, because decoding is slower than reading.
 */
export class EqualFiles {
  private readonly texts = new Map<string, string>();
  private readonly last = new Map<string, { readonly bytes: Uint8Array; readonly text: string }>();
  private readonly buffer = Buffer.allocUnsafe(MAX_COMPARED + 1);

  /**
   * @param name - the name that files with the same content are likely to share
   * @throws NotAFile
   */
  read(path: string, name: string): string {
    const last = this.last.get(name);
    return opened(path, (descriptor) => {
      if (last !== undefined && this.holds(descriptor, last.bytes)) return last.text;
      const size = regularSize(descriptor, path);
      const { buffer } = this;
      const isRead = size > 0 && size <= MAX_COMPARED && readSync(descriptor, buffer, 0, size, 0) === size;
      const text = this.one(isRead ? buffer.toString('utf8', 0, size) : readFileSync(descriptor, 'utf8'));
      if (isRead) this.last.set(name, { bytes: Uint8Array.prototype.slice.call(buffer, 0, size), text });
      return text;
    });
  }

  /** Whether a file consists of these bytes. Reading a pipe at a position fails; a device may be longer. */
  private holds(descriptor: number, bytes: Uint8Array): boolean {
    const { buffer } = this;
    try {
      const { length } = bytes;
      return (
        readSync(descriptor, buffer, 0, length + 1, 0) === length && buffer.compare(bytes, 0, length, 0, length) === 0
      );
    } catch {
      return false;
    }
  }

  /** Returns the first string that equals this one. */
  private one(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, text);
    return text;
  }
}

/**
 * Reads the bytes of a regular file as `readRegularFile` does.
 *
 * @param most - maximum number of bytes
 * @throws FileTooLarge for a larger file
 */
export function readRegularBytes(path: string, most = Number.POSITIVE_INFINITY): Uint8Array {
  return readRegular(path, (descriptor) => new Uint8Array(readFileSync(descriptor)), most);
}

function readRegular<T>(path: string, read: (descriptor: number) => T, most = Number.POSITIVE_INFINITY): T {
  return opened(path, (descriptor) => {
    if (regularSize(descriptor, path) > most) throw new FileTooLarge(path, most);
    return read(descriptor);
  });
}

function opened<T>(path: string, read: (descriptor: number) => T): T {
  // Windows has neither this flag nor named pipes among its files.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function regularSize(descriptor: number, path: string): number {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw new NotAFile(path);
  return stats.size;
}
