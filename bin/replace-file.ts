import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';

/**
 * Writes a file completely or not at all: first as a partial file, which is then renamed.
 *
 * @param earlier - the replaced file: the new one gets its owner and mode
 */
export function replaceFile(path: string, content: string | Uint8Array, earlier?: Stats): void {
  const partial = `${path}.${process.pid}.partial`;
  const file = openSync(partial, 'wx');
  try {
    try {
      if (earlier !== undefined) {
        fchownSync(file, earlier.uid, earlier.gid);
        fchmodSync(file, earlier.mode);
      }
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
