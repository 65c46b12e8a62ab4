import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isRunning, readPids, writePid } from './pid-files';

/**
 * Ends the processes of a folder, and removes it, when the process that called this has ended, however it ended: the
 * watchdog reads from a pipe that only its parent holds open. It is a shell, since it must outlive Node.
 */
export function startWatchdog(dir: string): void {
  const script =
    'cat >/dev/null; for file in "$0"/pids/*; do kill -9 "$(cat "$file")"; done 2>/dev/null; ' +
    // The folder of the run goes with its last cluster.
    'rm -rf "$0"; rmdir "${0%/*}" 2>/dev/null';
  const watchdog = spawn('sh', ['-c', script, dir], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watchdog.unref();
  // The pipe is a socket, which would keep Node alive; its type does not say so.
  (watchdog.stdin as unknown as { unref(): void }).unref();
}

/** Starts a program in the background; what it prints goes to `<name>.log` in the folder. */
export function startProcess(dir: string, name: string, program: string, args: readonly string[]): void {
  const log = openSync(join(dir, `${name}.log`), 'a');
  const child = spawn(program, args, {
    cwd: dir,
    // Kubernetes' programs name themselves by it: user agents, and through these the managers of fields.
    argv0: name,
    // Nothing of the developer's own settings (KUBECONFIG, proxies, Go's knobs) reaches a control plane.
    // Memory is cheaper than the processors, which all tests share.
    env: { PATH: process.env.PATH, HOME: dir, GOGC: '400' },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  // Without a listener a program that cannot be run would end the test process; its absence shows soon enough.
  child.on('error', () => undefined);
  child.unref();
  if (child.pid !== undefined) writePid(dir, name, child.pid);
}

/** The names of processes that were started in the folder and are not running any more. */
export function deadProcesses(dir: string): string[] {
  return [...readPids(dir)].filter(([, pid]) => !isRunning(pid)).map(([name]) => name);
}

/** The last lines that a process printed, for error messages. */
export function logTail(dir: string, name: string): string {
  const lines = readFileSync(join(dir, `${name}.log`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.slice(-15).join('\n');
}

/** Ports that are free now. All are asked for before one is given back, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listening));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function listening(): Promise<ReturnType<typeof createServer>> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}
