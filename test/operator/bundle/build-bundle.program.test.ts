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
  it('is not built again while nothing changes', async () => {
    expect(await buildBundle()).toBe('up to date');
  });

  it('is the program that the library carries', () => {
    expect(createHash('sha256').update(code).digest('hex')).toBe(packed.sha256);
    expect(Buffer.byteLength(code)).toBe(packed.bytes);
  });

  it('does not depend on where the repository lies', () => {
    expect(code).not.toContain(root);
  });

  it('has of client-node only how it reads kubeconfigs', () => {
    expect(code).toContain('loadFromString');
    expect(code).not.toContain('ObjectCoreV1Api');
    expect(code).toContain('ServerConfiguration is not part of the bundled operator');
    // Of undici, proxies, JSON paths, OpenID Connect.
    expect(textsIn(code, ['UND_ERR_', 'SocksClientError', 'vm.Script', 'OAUTH_'])).toEqual([]);
  });

  it('has of other packages and schemas only what it uses', () => {
    // Metrics that are pushed, traces, and what values of charts do not refer to.
    expect(textsIn(code, ['pushgateway', 'createContextKey', 'StatefulSetSpec'])).toEqual([]);
  });

  it('is ASCII, so that it is the same where it is read as one byte a letter', () => {
    expect(code.match(/.{0,20}[^\0-\x7f].{0,20}/g)).toBeNull();
  });

  it('says whose code it has, and brings the texts of their licences', () => {
    const notices = readFileSync(NOTICES, 'utf8');
    const named = [...notices.matchAll(/^-{80}\n\n(\S+) \S+ \((\S+)\)$/gm)].map(([, name]) => name);
    const packages = ['@kubernetes/client-node', 'prom-client', 'rfc4648', 'yaml'];
    expect(named).toEqual(packages);
    expect(notices).toContain('Copyright © 2022 William R Swanson');
    expect(code).toContain('Copyright (c) 2022 William R Swanson');
  });

  it('needs no package beside it', () => {
    const help = execFileSync(process.execPath, [PROGRAM, '--help'], { cwd: '/', encoding: 'utf8' });
    expect(help).toContain('rotate');
  });
});
