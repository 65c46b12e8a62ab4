import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

function run(...args: readonly string[]) {
  const command = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  const { status, stderr } = spawnSync(process.execPath, [command, 'tools/import/main.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('the committed types are those of the committed schemas, and these of the pinned sources', () => {
  expect(run('--check')).toEqual({ status: 0, stderr: '' });
});

test('a folder that lacks a source ends the import', () => {
  const { status, stderr } = run('--check', '--from', __dirname);
  expect(status).toBe(1);
  expect(stderr).toContain(`kubernetes/swagger.json is not in ${__dirname}`);
});
