import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, readPids } from '../support/cluster/pid-files';
import { startProcess } from '../support/cluster/processes';
import { createRunDirectory, removeRunDirectory, runDirectory } from '../support/cluster/run-directory';

const variable = 'CLUSTER_RUN_DIRECTORY';
const ours = process.env[variable];
afterEach(() => {
  process.env[variable] = ours;
});

it('ends the processes of every cluster of the run, and removes their files', async () => {
  createRunDirectory();
  const run = runDirectory();
  const clusters = ['one', 'two'].map((name) => join(run, name));
  const pids = clusters.map((dir) => {
    mkdirSync(dir);
    startProcess(dir, 'sleeper', 'sleep', ['600']);
    return readPids(dir).get('sleeper') ?? 0;
  });
  expect(pids.map(isRunning)).toEqual([true, true]);

  await removeRunDirectory();

  expect(pids.map(isRunning)).toEqual([false, false]);
  expect(existsSync(run)).toBe(false);
});

it('is content when there was no run', async () => {
  delete process.env[variable];
  await expect(removeRunDirectory()).resolves.toBeUndefined();
  expect(() => runDirectory()).toThrow(/CLUSTER_RUN_DIRECTORY is not set/);
});
