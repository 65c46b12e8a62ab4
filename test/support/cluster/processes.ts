import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isRunning, readPids, writePid } from './pid-files';

/**
 * Ends the processes of a folder, and removes it, when the calling process has ended in any way. The watchdog waits
 * for the end of a pipe that only its parent holds open. It is a shell, since it must outlive Node.
 */
export function startWatchdog(dir: string): void {
  const script =
    'cat >/dev/null; for file in "$0"/pids/*; do kill -9 "$(cat "$file")"; done 2>/dev/null; ' +
    // The folder of the test run is removed with its last cluster.
    'rm -rf "$0"; rmdir "${0%/*}" 2>/dev/null';
  const watchdog = spawn('sh', ['-c', script, dir], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watchdog.unref();
  // The pipe is a socket, which would keep Node alive. Its type has no `unref`.
  (watchdog.stdin as unknown as { unref(): void }).unref();
}

/** Starts a program in the background. Its output goes to `<name>.log` in the folder. */
export function startProcess(dir: string, name: string, program: string, args: readonly string[]): void {
  const log = openSync(join(dir, `${name}.log`), 'a');
  const child = spawn(program, args, {
    cwd: dir,
    // Kubernetes' programs derive their user agent, and so their field manager, from this name.
    argv0: name,
    // A control plane gets none of the developer's settings (KUBECONFIG, proxies, Go's variables).
    // GOGC saves CPU time, which all tests share, at the cost of memory.
    env: { PATH: process.env.PATH, HOME: dir, GOGC: '400' },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  // Without a listener, a program that cannot be started would end the test process. Checks for its readiness fail.
  child.on('error', () => undefined);
  child.unref();
  if (child.pid !== undefined) writePid(dir, name, child.pid);
}

/** The names of programs that were started in the folder and have ended. */
export function deadProcesses(dir: string): string[] {
  return [...readPids(dir)].filter(([, pid]) => !isRunning(pid)).map(([name]) => name);
}

/** The last lines of a program's log, for error messages. */
export function logTail(dir: string, name: string): string {
  const lines = readFileSync(join(dir, `${name}.log`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.slice(-15).join('\n');
}

/** Free ports. All are opened before the first is closed, so that they differ. */
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
