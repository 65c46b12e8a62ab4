import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packed from '#operator/build/bundle.json';
import { buildBundle, NOTICES, PROGRAM } from '#operator/bundle/build-bundle';

const root = join(__dirname, '..', '..', '..');
const code = readFileSync(PROGRAM, 'utf8');

function textsIn(whole: string, texts: readonly string[]): readonly string[] {
  return texts.filter((text) => whole.includes(text));
}

describe('the bundle', () => {
  it('is not rebuilt while no source changes', async () => {
    expect(await buildBundle()).toBe('up to date');
  });

  it('is the same program as in the library', () => {
    expect(createHash('sha256').update(code).digest('hex')).toBe(packed.sha256);
    expect(Buffer.byteLength(code)).toBe(packed.bytes);
  });

  it('does not depend on the path of the repository', () => expect(code).not.toContain(root));

  it('contains only the reader of kubeconfigs from client-node', () => {
    expect(code).toContain('loadFromString');
    expect(code).not.toContain('ObjectCoreV1Api');
    expect(code).toContain('ServerConfiguration is not part of the bundled operator');
    // Strings of undici, proxies, JSON paths and OpenID Connect.
    expect(textsIn(code, ['UND_ERR_', 'SocksClientError', 'vm.Script', 'OAUTH_'])).toEqual([]);
  });

  it('contains only the used parts of other packages and schemas', () => {
    // Strings of the push gateway, of traces, and of definitions that the values of charts do not reference.
    expect(textsIn(code, ['pushgateway', 'createContextKey', 'StatefulSetSpec'])).toEqual([]);
  });

  it('is ASCII, so that readers of any one-byte encoding agree on it', () => {
    expect(code.match(/.{0,20}[^\0-\x7f].{0,20}/g)).toBeNull();
  });

  it('names the packages that it contains, with the texts of their licences', () => {
    const notices = readFileSync(NOTICES, 'utf8');
    const named = [...notices.matchAll(/^-{80}\n\n(\S+) \S+ \((\S+)\)$/gm)].map(([, name]) => name);
    const packages = ['@kubernetes/client-node', 'prom-client', 'rfc4648', 'yaml'];
    expect(named).toEqual(packages);
    expect(notices).toContain('Copyright © 2022 William R Swanson');
    expect(code).toContain('Copyright (c) 2022 William R Swanson');
  });

  it('runs without further packages', () => {
    const help = execFileSync(process.execPath, [PROGRAM, '--help'], { cwd: '/', encoding: 'utf8' });
    expect(help).toContain('rotate');
  });
});
