import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

test('the committed types match the committed schemas, and these match the pinned sources', () => {
  const command = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  const { status, stderr } = spawnSync(process.execPath, [command, 'tools/import/main.ts', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
