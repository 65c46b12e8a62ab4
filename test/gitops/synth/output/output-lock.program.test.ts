import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { isRunning, OutputLock, startOf } from '#lib/gitops/synth/output/output-lock';
import { eventually } from '#test/support/cluster/eventually';
import { readFiles, temporaryDirectory } from './tree-on-disk';
import { type Folders, writeOutput } from './write-output';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');
const lockFile = () => join(directory.path, '.dist.cdk8s-linkerd.lock');
const besides = () => readdirSync(directory.path).filter((name) => name !== 'dist');

function acquire(path = outdir()): OutputLock {
  const lock = OutputLock.acquire(path);
  if (lock instanceof OutputLock) return lock;
  throw new Error(lock.what);
}

/** Returns the id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn('true');
  await new Promise((ended) => child.once('exit', ended));
  return child.pid ?? 0;
}

beforeEach(() => mkdirSync(outdir()));

describe('the lock of an output', () => {
  test('is taken over from each process of a chain that has ended', async () => {
    const lock = acquire();
    const owner = JSON.parse(readFileSync(lockFile(), 'utf8'));
    lock.release();
    const id = (n: number) => `00000000-0000-0000-0000-00000000000${n}`;
    const pid = await endedProcess();
    writeFileSync(lockFile(), JSON.stringify({ ...owner, pid, id: id(1) }));
    writeFileSync(`${lockFile()}.after-${id(1)}`, JSON.stringify({ ...owner, pid, id: id(2) }));
    expect(OutputLock.holder(outdir())).toBeUndefined();
    const next = acquire();
    expect(besides()).toContain(`.dist.cdk8s-linkerd.lock.after-${id(2)}`);
    expect(() => acquire()).toThrow(`process ${process.pid} `);
    next.release();
    expect(besides()).toEqual([]);
  });

  test('is taken over from a zombie process', async () => {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(String(line));
      const lock = acquire();
      const owner = JSON.parse(readFileSync(lockFile(), 'utf8'));
      lock.release();
      writeFileSync(lockFile(), JSON.stringify({ ...owner, pid, started: startOf(pid) }));
      expect(() => acquire()).toThrow(`process ${pid} `);
      process.kill(pid, 'SIGKILL');
      await eventually(() => acquire().release(), { timeoutMs: 10_000 });
      // A zombie process still has its id.
      expect(process.kill(pid, 0)).toBe(true);
      expect(isRunning(pid)).toBe(false);
      expect(besides()).toEqual([]);
    } finally {
      parent.kill('SIGKILL');
    }
  });
});

describe('four parallel writers', () => {
  const program = join(mkdtempSync(join(tmpdir(), 'output-writer-')), 'writer.cjs');

  beforeAll(() => {
    const entry = join(__dirname, 'concurrent-writer.ts');
    buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'cjs' });
  });
  afterAll(() => rmSync(program));

  interface Ended {
    readonly status: number | null;
    readonly stderr: string;
  }

  /** Starts a writer, and kills it after a time if `killAfterMs` is set. */
  function write(folders: Folders, killAfterMs?: number): Promise<Ended> {
    const child: ChildProcess = spawn(process.execPath, [program, outdir(), JSON.stringify(folders)]);
    let stderr = '';
    child.stderr?.on('data', (text) => {
      stderr += text;
    });
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    return new Promise((resolve) => {
      child.once('close', (status) => {
        clearTimeout(timer);
        resolve({ status, stderr });
      });
    });
  }

  /** Returns the tree of a writer, which differs from the trees of other writers. */
  const tree = (writer: number): Folders =>
    Object.fromEntries(
      ['argocd', 'home', `own-${writer}`].map((folder) => [
        folder,
        Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`ns-${n % 5}/${n}.yaml`, `${folder} ${writer} ${n}`])),
      ]),
    );

  test('either report the holder of the lock or write all files, in twenty rounds', async () => {
    const busy: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const ended = await Promise.all(
        [0, 1, 2, 3].map((writer) => write(tree(writer), writer % 2 === round % 2 ? 30 + 7 * round : undefined)),
      );
      for (const { status, stderr } of ended) {
        // A writer may have reported the lock before it was killed.
        if (status === 1 || (status === null && stderr !== '')) busy.push(stderr);
        else expect({ status: status ?? 0, stderr }).toEqual({ status: 0, stderr: '' });
      }
      const last = await write(tree(round % 4));
      expect(last).toEqual({ status: 0, stderr: '' });
      expect(readFiles(outdir())).toEqual(expectedTree(tree(round % 4)));
      expect(besides()).toEqual(['expected']);
    }
    for (const message of busy) expect(message).toMatch(/^Another synthesis is writing .*: process \d+ on .*\n$/);
    // Checks the test: writers ran at the same time.
    expect(busy.length).toBeGreaterThan(0);
  });

  function expectedTree(folders: Folders): Record<string, string> {
    const expected = join(directory.path, 'expected');
    rmSync(expected, { recursive: true, force: true });
    writeOutput(expected, folders);
    return readFiles(expected);
  }
});
