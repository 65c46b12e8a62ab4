import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The folder of files with the process ids of a control plane, so that another test process can end it. */
const FOLDER = 'pids';

export function writePid(dir: string, name: string, pid: number): void {
  mkdirSync(join(dir, FOLDER), { recursive: true });
  writeFileSync(join(dir, FOLDER, name), `${pid}\n`);
}

/** The names and process ids of the programs of a folder. */
export function readPids(dir: string): ReadonlyMap<string, number> {
  const folder = join(dir, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(names.map((name) => [name, Number(readFileSync(join(folder, name), 'utf8'))]));
}

/** Ends a process and waits for its end. @param graceMs the time from SIGTERM to SIGKILL; 0 kills at once */
export async function endProcess(dir: string, name: string, graceMs: number): Promise<void> {
  const pid = readPids(dir).get(name);
  if (pid === undefined) return;
  if (graceMs > 0) {
    signal(pid, 'SIGTERM');
    await gone(pid, graceMs);
  }
  signal(pid, 'SIGKILL');
  if (!(await gone(pid, 10_000))) throw new Error(`Process ${pid} (${name}) survived SIGKILL.`);
  rmSync(join(dir, FOLDER, name), { force: true });
}

/** Kills all programs of the control plane in a folder, waits for their end, and removes the folder. */
export async function killControlPlane(dir: string): Promise<void> {
  await Promise.all([...readPids(dir).keys()].map((name) => endProcess(dir, name, 0)));
  rmSync(dir, { recursive: true, force: true });
}

/** Whether a process exists and is no zombie. */
export function isRunning(pid: number): boolean {
  if (!signal(pid, 0)) return false;
  const stat = `/proc/${pid}/stat`;
  try {
    return !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
  } catch {
    // The system is not Linux, or the process has ended since the signal. Then its file has gone, too.
    return existsSync('/proc/self') ? existsSync(stat) : true;
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}
