import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Problem } from '#base/findings/problem';
import { FLEET_FINDINGS } from './findings';

/** Returns the text of a file, or the problem of reading it. */
export function readText(file: string): string | Problem {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(readFileSync(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === undefined || code.startsWith('ERR_ENCODING')
      ? FLEET_FINDINGS.fileUnreadableFleetEncoding({ file: resolve(file) })
      : FLEET_FINDINGS.fileUnreadableFleet({ file: resolve(file), reason: code });
  }
}
