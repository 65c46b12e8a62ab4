/** A program that writes an output. Arguments: the output folder, and the folders to write as JSON. */
import { writeOutput } from './write-output';

const [outdir = '', folders = '{}'] = process.argv.slice(2);
try {
  writeOutput(outdir, JSON.parse(folders));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
