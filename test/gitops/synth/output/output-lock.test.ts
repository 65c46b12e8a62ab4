import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OutputLock } from '#lib/gitops/synth/output/output-lock';
import { temporaryDirectory } from './tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');
const lockFile = () => join(directory.path, '.dist.cdk8s-linkerd.lock');
const besides = () => readdirSync(directory.path).filter((name) => name !== 'dist');

function acquire(path = outdir()): OutputLock {
  const lock = OutputLock.acquire(path);
  if (lock instanceof OutputLock) return lock;
  throw new Error(lock.what);
}

beforeEach(() => mkdirSync(outdir()));

describe('the lock of an output', () => {
  test('has a single holder, and leaves no files after its release', () => {
    const lock = acquire();
    expect(() => acquire()).toThrow(`Another synthesis is writing ${outdir()}: process ${process.pid} on `);
    expect(OutputLock.holder(outdir())?.fix).toContain(lockFile());
    lock.release();
    lock.release();
    expect(besides()).toEqual([]);
    acquire().release();
  });

  test('is the same for all paths to the output', () => {
    symlinkSync(outdir(), join(directory.path, 'link'));
    const lock = acquire(join(directory.path, 'link'));
    expect(OutputLock.holder(join(directory.path, 'x/../dist'))).toBeDefined();
    lock.release();
  });

  test('outlives the output, which cdk8s-cli deletes', () => {
    const lock = acquire();
    rmSync(outdir(), { recursive: true });
    expect(OutputLock.holder(outdir())).toBeDefined();
    lock.release();
  });

  test('is taken over from an ended process, even if another process has its id', () => {
    const lock = acquire();
    const owner = JSON.parse(readFileSync(lockFile(), 'utf8'));
    lock.release();
    writeFileSync(lockFile(), JSON.stringify({ ...owner, started: '1 of another boot' }));
    acquire().release();
  });

  test.each([
    ['from another machine', JSON.stringify({ id: '0'.repeat(36), pid: 1, started: '', place: 'elsewhere' })],
    ['not JSON', 'not JSON'],
    ['not valid', '{"id":"../../x","pid":-1,"started":{},"place":7}'],
    ['empty', ''],
  ])('is kept until it is old if its file is %s', (_, text) => {
    writeFileSync(lockFile(), text);
    expect(() => acquire()).toThrow('Another synthesis');
    utimesSync(lockFile(), new Date(0), new Date(Date.now() - 3_600_000));
    acquire().release();
    expect(besides()).toEqual([]);
  });

  test('is reported by OutputLock.holder, which writes nothing', () => {
    writeFileSync(lockFile(), 'of somebody');
    expect(OutputLock.holder(outdir())).toBeDefined();
    expect(besides()).toEqual(['.dist.cdk8s-linkerd.lock']);
  });
});
