import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../gitops/synth/output/tree-on-disk';
import { eventually } from '../../support/cluster/eventually';

const ROOT = join(__dirname, '..', '..', '..');
const directory = temporaryDirectory();

test.each([
  [[], 'Everything is removed now.'],
  [['--keep'], 'What is left can be removed with --steps removal.'],
  [['--steps', 'removal'], 'What is left can be removed with --steps removal.'],
])('an end-to-end run with %j that is interrupted says what becomes of what it made', async (options, message) => {
  const [kubectl, asked] = [join(directory.path, 'kubectl'), join(directory.path, 'asked')];
  writeFileSync(kubectl, `#!/bin/sh\ntouch '${asked}'\nexec sleep 600\n`, { mode: 0o755 });
  const target = ['--context', 'test', '--kubectl', kubectl, '--charts', directory.path];
  const program = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'tools/e2e/main.ts'), ...target, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const texts: string[] = [];
  program.stderr.setEncoding('utf8').on('data', (text: string) => texts.push(text));
  const closed = once(program, 'close');
  try {
    await eventually(() => expect(existsSync(asked)).toBe(true));
    program.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    expect(texts.join('')).toContain(`Interrupted. ${message}`);
  } finally {
    program.kill('SIGKILL');
  }
});
