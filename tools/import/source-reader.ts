import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pin } from './pins';

/** Reads the file that a pin names. */
export type SourceReader = (pin: Pin) => Promise<string>;

/** Reads from the pinned addresses. */
export const fromNetwork: SourceReader = async ({ name, url }) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name}: ${url} answers ${response.status} ${response.statusText}`);
  return response.text();
};

/**
 * Reads from the first folder that contains a file with the name of the pin. If no folder contains it, the reader
 * `elsewhere` reads it.
 */
export function fromFolders(folders: readonly string[], elsewhere?: SourceReader): SourceReader {
  return async (pin) => {
    const { name } = pin;
    const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (file === undefined && elsewhere !== undefined) return elsewhere(pin);
    if (file === undefined) throw new Error(`${name} is not in ${folders.join(' nor in ')}`);
    return readFileSync(file, 'utf8');
  };
}
