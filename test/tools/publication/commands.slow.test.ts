import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundledPackages } from '#operator/bundle/build-bundle';
import type { Bom } from '#tools/publication/bundled-sbom';

test('check.ts and notes.ts exit with 1 and a reason for a release that does not exist', () => {
  const root = join(__dirname, '../../..');
  for (const file of ['check', 'notes']) {
    const args = [join(root, 'tools/publication', `${file}.ts`), 'v0.0.0-never'];
    const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/tsx'), args, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('CHANGELOG.md has no section');
  }
});

test('operator-sbom.ts lists the packages of the operator without a registry', () => {
  const printed = execFileSync('node_modules/.bin/tsx', ['tools/publication/operator-sbom.ts'], {
    cwd: join(__dirname, '../../..'),
    env: { ...process.env, npm_config_offline: 'true' },
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const bom: Bom = JSON.parse(printed);
  expect(bom.metadata.component).toMatchObject({ name: 'linkerd-reconciler', purl: expect.stringMatching(/^pkg:npm/) });
  expect(bom.components.map(({ name, version }) => ({ name, version }))).toEqual(bundledPackages());
  expect(bom.components.length).toBeGreaterThan(3);
});
