import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControlPlane } from '../support/cluster/control-plane';

const given = process.env.KUBEBUILDER_ASSETS;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assets-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  if (given === undefined) delete process.env.KUBEBUILDER_ASSETS;
  else process.env.KUBEBUILDER_ASSETS = given;
});

it('says what a program printed that ended instead of starting, and leaves nothing behind', async () => {
  const etcd = join(folder, 'etcd');
  writeFileSync(etcd, '#!/bin/sh\necho "no room for $1"\nexit 1\n');
  chmodSync(etcd, 0o755);
  process.env.KUBEBUILDER_ASSETS = folder;
  const dir = join(folder, 'cluster');

  const start = startControlPlane(dir, { controllers: false });

  await expect(start).rejects.toThrow(`etcd ended:\nno room for --data-dir=${join(dir, 'etcd')}`);
  expect(existsSync(dir)).toBe(false);
});
