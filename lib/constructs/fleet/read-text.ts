import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Problem } from '../../kubernetes/findings/problem';

/** Reads a file as text; or says why that cannot be done. */
export function readText(file: string): string | Problem {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(readFileSync(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === undefined || code.startsWith('ERR_ENCODING') ? 'is no text in UTF-8' : `cannot be read (${code})`;
    return {
      code: 'fleet-file-unreadable',
      what: `The fleet file ${resolve(file)} ${reason}`,
      why: 'It has the clusters, and without them nothing can be synthesized',
      fix: "name a YAML file, relative to the working directory or absolute: join(import.meta.dirname, 'fleet.yaml'), or join(__dirname, 'fleet.yaml') in CommonJS",
    };
  }
}
