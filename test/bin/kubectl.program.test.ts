import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRaw, readKubeconfig } from '#bin/kubectl';
import { runKubectl } from '#bin/run-kubectl';

const ROOT = join(__dirname, '..', '..');
const COMMAND = join(ROOT, 'bin', 'cdk8s-linkerd.ts');
const directory = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-kubectl-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/**
 * A kubectl with a plugin that inherits its standard error and never ends. @returns the file with the plugin's process
 * id
 */
function hangingKubectl(): { readonly program: string; readonly pid: string } {
  const [program, pid] = [join(directory, 'kubectl'), join(directory, 'pid')];
  rmSync(pid, { force: true });
  writeFileSync(
    program,
    `#!/bin/sh\necho 'open https://login.example.com' >&2\nsleep 600 &\necho $! > ${pid}.new && mv ${pid}.new ${pid}\nwait\n`,
  );
  chmodSync(program, 0o755);
  return { program, pid };
}

async function written(file: string): Promise<number> {
  while (!existsSync(file)) await sleep(10);
  return Number(readFileSync(file, 'utf8'));
}

/** Waits until a process has ended. A zombie counts as ended: its parent may read the exit status late. */
async function ended(pid: number): Promise<void> {
  const isRunning = () => {
    try {
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  while (isRunning()) await sleep(10);
}

test('a time limit ends kubectl and a plugin that never finishes the login, and getRaw returns what it printed', async () => {
  const { program, pid } = hangingKubectl();
  const late = new AbortController();
  const answer = getRaw(
    { context: 'home', path: '/apis' },
    { program, requestTimeoutMs: 600_000, signal: late.signal },
  );
  const plugin = await written(pid);
  late.abort();
  expect(await answer).toEqual({
    ok: false,
    reason: 'there was no answer in time; kubectl printed: open https://login.example.com',
  });
  await ended(plugin);
});

test('Ctrl-C ends kubectl’s waiting plugin, although it has no terminal', async () => {
  const { program, pid } = hangingKubectl();
  const command = ['anchor', 'request', '--kubectl', program];
  const child = spawn(process.execPath, ['--import', 'tsx', COMMAND, ...command], { cwd: ROOT, stdio: 'ignore' });
  const plugin = await written(pid);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(130);
  await ended(plugin);
});

test('runKubectl leaves Ctrl-C to a program that listens for it, and ends kubectl by its signal', async () => {
  const { program, pid } = hangingKubectl();
  const interruption = new AbortController();
  const listener = () => interruption.abort();
  process.on('SIGINT', listener);
  const running = runKubectl([], { program, signal: interruption.signal });
  const plugin = await written(pid);
  process.emit('SIGINT', 'SIGINT');
  process.off('SIGINT', listener);
  expect(await running).toMatchObject({ cut: 'late', stdout: '' });
  await ended(plugin);
});

test('getRaw reports a kubectl that a signal ended, or that printed nothing', async () => {
  const program = join(directory, 'failing');
  const reasons: unknown[] = [];
  for (const end of ['kill -9 $$', 'exit 3']) {
    writeFileSync(program, `#!/bin/sh\n${end}\n`, { mode: 0o755 });
    const { signal } = new AbortController();
    reasons.push(await getRaw({ context: 'home', path: '/apis' }, { program, requestTimeoutMs: 60_000, signal }));
  }
  expect(reasons).toEqual([
    { ok: false, reason: 'a signal ended kubectl' },
    { ok: false, reason: 'kubectl exited with 3' },
  ]);
});

test('runKubectl passes its input to kubectl', async () => {
  expect(await runKubectl([], { program: 'cat', input: 'kind: List' })).toMatchObject({
    code: 0,
    stdout: 'kind: List',
  });
});

test('readKubeconfig returns no server for a context without a cluster', async () => {
  const config = join(directory, 'config');
  const view = {
    clusters: [{ name: 'a', cluster: { server: 'https://192.0.2.1' } }],
    contexts: [
      { name: 'trail ', context: { cluster: 'a' } },
      { name: 'lost', context: { cluster: 'b' } },
      { name: 'none', context: {} },
    ],
    'current-context': 'trail ',
  };
  writeFileSync(config, JSON.stringify(view));
  const program = join(directory, 'view');
  writeFileSync(program, `#!/bin/sh\ncat ${config}\n`);
  chmodSync(program, 0o755);
  const { contexts, current } = await readKubeconfig({ program, requestTimeoutMs: 60_000 });
  expect([...contexts]).toEqual([
    ['trail ', '{"server":"https://192.0.2.1"}'],
    ['lost', undefined],
    ['none', undefined],
  ]);
  expect(current).toBe('trail ');
});

test.each(['null', '{"contexts":{}}', '{"contexts":[{"name":"home"}]}', '{"clus'])(
  'readKubeconfig refuses a kubectl wrapper that prints %s',
  async (view) => {
    const program = join(directory, 'wrapper');
    writeFileSync(program, `#!/bin/sh\necho '${view}'\n`, { mode: 0o755 });
    const read = readKubeconfig({ program, requestTimeoutMs: 60_000 });
    await expect(read).rejects.toThrow('the program does not print a kubeconfig as kubectl does');
  },
);
