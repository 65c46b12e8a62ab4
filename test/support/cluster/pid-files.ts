import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes of a control plane are known by files: whoever finds the folder can end them, also from another process. */
const FOLDER = 'pids';

export function writePid(dir: string, name: string, pid: number): void {
  mkdirSync(join(dir, FOLDER), { recursive: true });
  writeFileSync(join(dir, FOLDER, name), `${pid}\n`);
}

/** Names and process ids of what was started in a folder. */
export function readPids(dir: string): ReadonlyMap<string, number> {
  const folder = join(dir, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(names.map((name) => [name, Number(readFileSync(join(folder, name), 'utf8'))]));
}

/** Ends one process and waits until it is gone. @param graceMs how long it may clean up before it is killed; 0 kills at once */
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

/** Ends all programs of the control plane in a folder at once, waits until they are gone, and removes the folder. */
export async function killControlPlane(dir: string): Promise<void> {
  await Promise.all([...readPids(dir).keys()].map((name) => endProcess(dir, name, 0)));
  rmSync(dir, { recursive: true, force: true });
}

/** Is there such a process, other than as a zombie that nobody has buried yet? */
export function isRunning(pid: number): boolean {
  if (!signal(pid, 0)) return false;
  const stat = `/proc/${pid}/stat`;
  try {
    return !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
  } catch {
    // Not Linux, or gone between the two looks; the next look tells.
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
