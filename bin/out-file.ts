import { writeFileSync } from 'node:fs';
import { Misuse } from './terminal';

/** Writes the file of `--out`. @throws Misuse if it cannot be written */
export function writeOutFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Misuse(`--out ${path} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
