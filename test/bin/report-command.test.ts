import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Platform } from '#lib/gitops/platform/platform';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { type Outcome, runInMemory } from './fake-terminal';

const directory = temporaryDirectory();
const dist = () => join(directory.path, 'dist');
const out = () => join(directory.path, 'report.html');

function report(...args: readonly string[]): Promise<Outcome> {
  return runInMemory(['report', '--from', dist(), ...args]);
}

function synth(...clusters: readonly string[]): void {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: dist() });
  for (const name of clusters) {
    platform.addCluster(name, { destination: { name } }, (cluster) => {
      new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'existing' }, operator: {}, rotation: {} });
    });
  }
  platform.synth();
}

test('report writes the same page about all clusters each time', async () => {
  synth('home', 'shop');
  expect(await report('--out', out())).toEqual({ code: 0, stdout: '', stderr: `${out()}: 2 clusters\n` });
  const page = readFileSync(out(), 'utf8');
  for (const part of ['home</a>', 'shop</a>', 'linkerd-identity-issuer', 'The rotation takes']) {
    expect([part, page.includes(part)]).toEqual([part, true]);
  }
  const { code, stdout, stderr } = await report('--out', '-');
  expect({ code, stderr, isSame: stdout === page }).toEqual({ code: 0, stderr: '', isSame: true });
});

test('report warns about a file with merge conflict markers, and names it in the page', async () => {
  synth('home');
  const file = join(dist(), 'home', 'linkerd', 'certificate.linkerd-identity-issuer.yaml');
  writeFileSync(file, `<<<<<<< HEAD\n${readFileSync(file, 'utf8')}`);
  const { code, stderr } = await report('--out', out());
  expect(code).toBe(0);
  expect(stderr).toContain('warning: home/linkerd/certificate.linkerd-identity-issuer.yaml cannot be read');
  expect(readFileSync(out(), 'utf8').includes('Files that cannot be read')).toBe(true);
});

test('report escapes terminal commands in its output and in the page', async () => {
  writeFiles(dist(), {
    'home/cdk8s-linkerd.index': JSON.stringify({ writer: 'x', charts: [], files: ['a/\u001b[31m.yaml'] }),
    'home/a/\u001b[31m.yaml': '}',
  });
  const { stderr } = await report('--out', out());
  expect(stderr).toContain('home/a/\\u001b[31m.yaml');
  expect(`${stderr}${readFileSync(out(), 'utf8')}`.includes('\u001b')).toBe(false);
});

test.each([
  ['there is no output', [], () => {}, 'is not a folder'],
  ['the output has no cluster', [], () => mkdirSync(dist()), 'contains no cluster'],
  ['the page cannot be written', ['--out', '/dev/null/report.html'], () => synth('home'), 'cannot be written'],
  ['an option is unknown', ['--json'], () => {}, 'unknown option'],
])('report prints the problem and exits with 2: %s', async (_when, args, prepare, message) => {
  prepare();
  const { code, stdout, stderr } = await report(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(existsSync(out())).toBe(false);
});
