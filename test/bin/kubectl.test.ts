import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRaw } from '../../bin/kubectl';

const directory = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-kubectl-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('a plugin that never finishes to log in does not outlast the time for a cluster', async () => {
  const [program, pid] = [join(directory, 'kubectl'), join(directory, 'pid')];
  // The plugin inherits the standard error of kubectl.
  writeFileSync(program, `#!/bin/sh\nsleep 600 &\necho $! > ${pid}.new && mv ${pid}.new ${pid}\nwait\n`);
  chmodSync(program, 0o755);
  const late = new AbortController();
  const answer = getRaw(
    { context: 'home', path: '/apis' },
    { program, requestTimeoutMs: 600_000, signal: late.signal },
  );
  while (!existsSync(pid)) await sleep(10);
  late.abort();
  try {
    expect(await answer).toEqual({ ok: false, reason: expect.stringContaining('in time') });
  } finally {
    process.kill(Number(readFileSync(pid, 'utf8')));
  }
});
