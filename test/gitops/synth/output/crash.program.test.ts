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

/** Writes in a process of its own, which is killed at its n-th change; whether it ended before that. */
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

/** The output after an undisturbed run. */
function treeOf(folders: Folders): Record<string, string> {
  const outdir = mkdtempSync(join(directory.path, 'expected-'));
  writeFiles(outdir, FOREIGN);
  writeOutput(outdir, folders);
  return readFiles(outdir);
}

/** What the next run may be asked to write: the same, something else, or what was there before. */
const NEXT = [NEW, OTHER, OLD];

test('a synth after a killed one writes the same files as without the killed one', () => {
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
  // Of the test itself: the run makes many changes, and was killed at each.
  expect(kills).toBeGreaterThan(20);
});
