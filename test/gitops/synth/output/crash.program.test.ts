import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { readFiles, temporaryDirectory, writeFiles } from './tree-on-disk';
import { type Folders, writeOutput } from './write-output';

const program = join(mkdtempSync(join(tmpdir(), 'killed-writer-')), 'writer.cjs');

beforeAll(() => {
  const entry = join(__dirname, 'killed-writer.ts');
  buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'cjs' });
});
afterAll(() => rmSync(program));

const directory = temporaryDirectory();

/** Runs a writer that is killed at its n-th change. Returns true if it ended before. */
function writeAndDie(outdir: string, folders: Folders, n: number): boolean {
  const args = [program, outdir, JSON.stringify(folders), String(n)];
  const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (signal === 'SIGKILL') return false;
  if (status !== 0) throw new Error(stderr);
  return true;
}

const FOREIGN = { 'home/notes.md': 'mine', 'home/a/mine.yaml': 'mine' };
const OLD: Folders = {
  home: { 'a/1.yaml': 'one', 'a/2.yaml': 'two', 'b/3.yaml': 'three' },
  gone: { 'a/1.yaml': 'one' },
};
const NEW: Folders = {
  home: { 'a/1.yaml': 'changed', 'a/4.yaml': 'four', 'c/d/5.yaml': 'five' },
  fresh: { 'a/1.yaml': 'one', 'a/templates/2.yaml': 'two' },
};
const OTHER: Folders = { home: { 'a/2.yaml': 'two again', 'c/6.yaml': 'six' } };

/** Returns the output of a run that is not killed. */
function treeOf(folders: Folders): Record<string, string> {
  const outdir = mkdtempSync(join(directory.path, 'expected-'));
  writeFiles(outdir, FOREIGN);
  writeOutput(outdir, folders);
  return readFiles(outdir);
}

/** Outputs of the next run: the same, another, and the former one. */
const NEXT = [NEW, OTHER, OLD];

test('a synthesis after a killed one writes the same files as without the killed one', () => {
  const start = join(directory.path, 'start');
  writeFiles(start, FOREIGN);
  writeOutput(start, OLD);
  const expected = NEXT.map((next) => treeOf(next));
  let kills = 0;
  for (let ended = false; !ended; kills += 1) {
    const killed = join(directory.path, `killed-${kills}`);
    cpSync(start, killed, { recursive: true });
    ended = writeAndDie(killed, NEW, kills + 1);
    NEXT.forEach((next, index) => {
      const repaired = `${killed}-${index}`;
      cpSync(killed, repaired, { recursive: true });
      writeOutput(repaired, next);
      expect(readFiles(repaired)).toEqual(expected[index]);
    });
  }
  // Checks the test: the writer was killed at each of many changes.
  expect(kills).toBeGreaterThan(20);
});
