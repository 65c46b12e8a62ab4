import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createSigningRequest } from '../support/anchor/cert-manager/signing-request';
import { issueCertificate } from '../support/cluster/certificates';
import { runInMemory } from './fake-terminal';

const next = issueCertificate({ commonName: '1.root', ca: true });
const request = createSigningRequest({ commonName: '1.root', isCA: true }, next.key);
const bridge = {
  generation: 1,
  request,
  subject: 'CN=1.root',
  signer: 'CN=root',
  pathLength: 1,
  notAfter: '2035-01-01T00:00:00Z',
  until: '2034-12-01T00:00:00Z',
};

let folder: string;
const { PATH } = process.env;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anchor-command-'));
  process.env.PATH = `${folder}${delimiter}${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});

/** Replaces kubectl by a script that prints this response, and records its arguments. */
function kubectlWith(answer: unknown, code = 0): void {
  const out = join(folder, 'answer.json');
  writeFileSync(out, JSON.stringify(answer));
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/args'\n${code === 0 ? `cat '${out}'` : `cat '${out}' >&2; exit ${code}`}\n`;
  writeFileSync(join(folder, 'kubectl'), script);
  chmodSync(join(folder, 'kubectl'), 0o755);
}

const argsOfKubectl = () => readFileSync(join(folder, 'args'), 'utf8').trim().split('\n');

describe('anchor request', () => {
  test('prints the request to standard output, and to standard error how to sign it, as comments', async () => {
    kubectlWith({ status: { phase: 'Announced', bridge } });
    const { code, stdout, stderr } = await runInMemory(['anchor', 'request']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: request });
    expect(stderr).toMatch(/^(?:#.*\n)+$/);
    expect(stderr).toContain('CN=1.root');
    expect(stderr).toContain('no later than the present anchor, on 2035-01-01T00:00:00Z');
    for (const tool of ['openssl x509 -req', 'step certificate sign', 'vault write']) expect(stderr).toContain(tool);
    const options = ['--output=json', '--request-timeout=20s', '--', 'linkerd'];
    expect(argsOfKubectl()).toEqual(['get', 'trustanchors.config.linkerd.io', ...options]);
  });

  test('reads the TrustAnchor from the cluster of --context', async () => {
    kubectlWith({ status: { bridge } });
    await runInMemory(['anchor', 'request', '--context', 'east', '--name', 'other']);
    expect(argsOfKubectl().slice(-3)).toEqual(['--context=east', '--', 'other']);
  });

  test('refuses if the operator does not wait for a signature', async () => {
    kubectlWith({ status: { phase: 'Stable' } });
    const { code, stdout, stderr } = await runInMemory(['anchor', 'request']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('TrustAnchor linkerd, which is Stable, does not wait for a signature');
  });

  test('prints the error of kubectl', async () => {
    kubectlWith('not found', 1);
    expect(await runInMemory(['anchor', 'request'])).toMatchObject({ code: 2, stderr: 'error: "not found"\n' });
  });

  test('names a kubeconfig that does not exist', async () => {
    const { KUBECONFIG } = process.env;
    process.env.KUBECONFIG = '/nonexistent';
    kubectlWith('The connection to the server localhost:8080 was refused', 1);
    const { code, stderr } = await runInMemory(['anchor', 'request']);
    if (KUBECONFIG === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = KUBECONFIG;
    expect(code).toBe(2);
    expect(stderr).toMatch(/refused"; \/nonexistent does not exist: correct the environment variable KUBECONFIG\n$/);
  });

  test('prints only a valid request, and no terminal commands', async () => {
    const strange = { ...bridge, request: `rm -rf /\n${request}`, signer: 'CN=\u001b[2J\nroot' };
    kubectlWith({ status: { bridge: strange } });
    const { stdout, stderr } = await runInMemory(['anchor', 'request']);
    expect(stdout).toBe(request);
    expect(stderr).not.toContain('\u001b');
    expect(stderr).toMatch(/^(?:#.*\n)+$/);
    for (const odd of [
      { request: 'rm -rf /' },
      { notAfter: '2035-01-01\nrm -rf /' },
      { until: '`id`' },
      { pathLength: '`id`' },
    ]) {
      kubectlWith({ status: { bridge: { ...bridge, ...odd } } });
      expect(await runInMemory(['anchor', 'request'])).toMatchObject({ code: 2, stdout: '' });
    }
  });
});
