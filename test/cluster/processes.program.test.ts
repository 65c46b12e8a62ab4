import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { eventually } from '../support/cluster/eventually';
import { endProcess, isRunning, readPids } from '../support/cluster/pid-files';
import { deadProcesses, freePorts, logTail, startProcess } from '../support/cluster/processes';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'processes-'));
});
afterEach(async () => {
  for (const name of readPids(dir).keys()) await endProcess(dir, name, 0);
  rmSync(dir, { recursive: true, force: true });
});

const pidOf = (name: string) => readPids(dir).get(name) ?? 0;

it('starts a program whose output is kept, without the settings of the developer', async () => {
  process.env.KUBECONFIG = 'the-real-one';
  startProcess(dir, 'talker', 'sh', ['-c', 'echo "config: $KUBECONFIG."; echo "name: $0"; exec sleep 600']);
  delete process.env.KUBECONFIG;
  await eventually(() => expect(logTail(dir, 'talker')).toMatch(/^config: \.\nname: talker$/));
  expect(isRunning(pidOf('talker'))).toBe(true);
  expect(deadProcesses(dir)).toEqual([]);
});

it('notices that a program ended', async () => {
  startProcess(dir, 'short', 'sh', ['-c', 'echo sorry >&2; exit 1']);
  await eventually(() => expect(deadProcesses(dir)).toEqual(['short']));
  expect(logTail(dir, 'short')).toBe('sorry');
});

it('lets a program clean up before it is killed', async () => {
  const script = "trap 'echo bye; exit' TERM; echo ready; while :; do sleep 0.01; done";
  startProcess(dir, 'polite', 'sh', ['-c', script]);
  await eventually(() => expect(logTail(dir, 'polite')).toBe('ready'));
  const pid = pidOf('polite');
  await endProcess(dir, 'polite', 60_000);
  expect(isRunning(pid)).toBe(false);
  expect(logTail(dir, 'polite')).toBe('ready\nbye');
  expect(readPids(dir).size).toBe(0);
});

it('kills a program that does not end', async () => {
  startProcess(dir, 'stubborn', 'sh', ['-c', "trap '' TERM; echo ready; while :; do sleep 0.01; done"]);
  await eventually(() => expect(logTail(dir, 'stubborn')).toBe('ready'));
  const pid = pidOf('stubborn');
  await endProcess(dir, 'stubborn', 50);
  expect(isRunning(pid)).toBe(false);
});

it('ends what was started when whoever started it is killed', async () => {
  const program = join(dir, 'abandoned.cjs');
  buildSync({
    entryPoints: [join(__dirname, '..', 'support', 'cluster', 'abandoned-cluster.ts')],
    bundle: true,
    platform: 'node',
    outfile: program,
  });
  const cluster = join(dir, 'cluster');
  mkdirSync(cluster);
  const starter = spawn(process.execPath, [program, cluster], { stdio: ['ignore', 'pipe', 'inherit'] });
  await firstOutput(starter);
  const pid = readPids(cluster).get('sleeper') ?? 0;
  expect(isRunning(pid)).toBe(true);

  starter.kill('SIGKILL');

  await eventually(() => {
    expect(isRunning(pid)).toBe(false);
    expect(existsSync(cluster)).toBe(false);
  });
});

function firstOutput({ stdout }: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => stdout?.once('data', resolve));
}

it('knows ports that are free and differ', async () => {
  const ports = await freePorts(5);
  expect(new Set(ports).size).toBe(5);
  expect(Math.min(...ports)).toBeGreaterThan(1024);
});
