import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { packaged } from '../packages/helm/chart/tar-writer';
import { runInMemory } from './fake-terminal';

let directory = '';
let program = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'charts-at-once-'));
  program = join(directory, 'writer.cjs');
  const entry = join(__dirname, 'charts-writer.ts');
  buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'cjs' });
});
afterAll(() => rmSync(directory, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

/** Runs the writer in a separate process. */
function write(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args]);
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.once('close', (status, signal) => resolve({ status, signal, stderr })));
}

/** Packages a chart outside of the folder. */
function archive(name: string, content: string): string {
  const file = join(mkdtempSync(join(directory, 'archive-')), `${name}.tgz`);
  const chart = { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, 'values.yaml': content };
  writeFileSync(file, packaged(chart, name));
  return file;
}

const newFolder = () => join(mkdtempSync(join(directory, 'project-')), 'charts');
const verify = (folder: string) => runInMemory(['charts', 'verify', '--folder', folder]);
const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'hex')]));

test('charts add, in several processes at once, keeps all entries of the lock', async () => {
  const folder = newFolder();
  const names = Array.from({ length: 12 }, (_, index) => `chart-${index}`);
  const ended = await Promise.all(names.map((name) => write(folder, archive(name, ''), '0')));
  expect(ended.map(({ status, stderr }) => ({ status, stderr }))).toEqual(names.map(() => ({ status: 0, stderr: '' })));
  const { code, stdout } = await verify(folder);
  expect(code).toBe(0);
  expect(stdout).toContain('(12) have the digests');
  // No temporary file remains in the folder or next to it.
  expect(readdirSync(join(folder, '..'))).toEqual(['charts']);
  expect(readdirSync(folder)).toHaveLength(13);
});

test('charts add, in several processes with different archives of one version, succeeds in one process', async () => {
  const folder = newFolder();
  const contents = ['a: 1', 'b: 1', 'c: 1', 'd: 1'];
  const ended = await Promise.all(contents.map((content) => write(folder, archive('podinfo', content), '0')));
  expect(ended.map(({ status }) => status).sort()).toEqual([0, 1, 1, 1]);
  expect((await verify(folder)).code).toBe(0);
});

test.each([
  ['adds a chart', 'added', []],
  ['replaces an archive', 'podinfo', ['--force']],
])(
  'if a process that %s is killed, charts verify reports unfinished files, and the same command completes them',
  async (_, name, force) => {
    const start = newFolder();
    await write(start, archive('podinfo', ''), '0');
    const file = archive(name, 'changed: 1');
    const finished = newFolder();
    cpSync(start, finished, { recursive: true });
    await write(finished, file, '0', ...force);
    const [before, after] = [filesIn(start), filesIn(finished)];
    let kills = 0;
    for (let ended = false; !ended; kills += 1) {
      const folder = newFolder();
      mkdirSync(folder, { recursive: true });
      cpSync(start, folder, { recursive: true });
      ended = (await write(folder, file, String(kills + 1), ...force)).signal === null;
      const found = filesIn(folder);
      const isWhole = [before, after].some((files) => JSON.stringify(files) === JSON.stringify(found));
      expect((await verify(folder)).code).toBe(isWhole ? 0 : 1);
      expect(await runInMemory(['charts', 'add', file, '--folder', folder, ...force])).toMatchObject({
        code: 0,
        stderr: '',
      });
      expect(filesIn(folder)).toEqual(after);
      expect(readdirSync(join(folder, '..'))).toEqual(['charts']);
    }
    // The loop killed the process at each of its many changes.
    expect(kills).toBeGreaterThan(10);
  },
);
