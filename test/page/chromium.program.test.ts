import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '../support/chromium';

const { CHROMIUM, PATH } = process.env;
let folder: string;
const file = (name: string) => join(folder, name);

function script(name: string, text: string): void {
  writeFileSync(file(name), `#!/bin/sh\n${text}\n`);
  chmodSync(file(name), 0o755);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'path-'));
  process.env.PATH = folder;
  delete process.env.CHROMIUM;
});

afterEach(() => {
  rmSync(folder, { recursive: true });
  process.env.PATH = PATH;
  if (CHROMIUM !== undefined) process.env.CHROMIUM = CHROMIUM;
});

test('the browser is that of CHROMIUM, else one on PATH', async () => {
  script('google-chrome', 'exit 1');
  expect(await chromium()).toEqual({ program: file('google-chrome'), env: {} });
  process.env.CHROMIUM = '/opt/chrome';
  expect(await chromium()).toEqual({ program: '/opt/chrome', env: {} });
});

test('without a browser, no package manager of the system is started: a package brings one into the checkout, or the error says how to get one', async () => {
  for (const manager of ['apt-get', 'apt', 'dnf', 'apk', 'brew']) script(manager, `echo ran > ${file('ran')}; exit 1`);
  const found = await chromium().catch((error: Error) => error.message);
  expect(existsSync(file('ran'))).toBe(false);
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  expect(found).toEqual(
    isPackaged
      ? expect.objectContaining({ program: expect.stringMatching(/\/\.cache\/chromium-[\d.]+\/unpacked\/chromium$/) })
      : expect.stringContaining('CHROMIUM'),
  );
});
