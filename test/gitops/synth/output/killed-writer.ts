/**
 * A program that writes an output, and kills itself by SIGKILL in place of the n-th change of the file system. If this
 * change writes a file, half of the file is written. Arguments: the output folder, the folders to write as JSON, and n.
 */
import fs from 'node:fs';
import { writeOutput } from './write-output';

const [outdir = '', folders = '{}', fatal = '0'] = process.argv.slice(2);

let changes = 0;

function countdown(isLast: () => void): void {
  changes += 1;
  if (changes !== Number(fatal)) return;
  isLast();
  process.kill(process.pid, 'SIGKILL');
}

const { renameSync, rmSync, rmdirSync, mkdirSync, writeFileSync } = fs;
const nothing = () => {};
Object.assign(fs, {
  renameSync: (...args: Parameters<typeof renameSync>) => {
    countdown(nothing);
    renameSync(...args);
  },
  rmSync: (...args: Parameters<typeof rmSync>) => {
    countdown(nothing);
    rmSync(...args);
  },
  rmdirSync: (...args: Parameters<typeof rmdirSync>) => {
    countdown(nothing);
    rmdirSync(...args);
  },
  mkdirSync: (...args: Parameters<typeof mkdirSync>) => {
    countdown(nothing);
    return mkdirSync(...args);
  },
  writeFileSync: (path: string, text: string) => {
    countdown(() => writeFileSync(path, text.slice(0, text.length / 2)));
    writeFileSync(path, text);
  },
});

writeOutput(outdir, JSON.parse(folders));
