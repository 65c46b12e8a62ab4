import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { oldestNode } from './support/oldest-node';

const root = join(__dirname, '..');
const bin = join(root, 'node_modules', '.bin');

/** A project of somebody else, in an empty folder, with the packed library installed. */
describe('the packed library, installed in a fresh project', () => {
  let folder: string;
  let installed: string;
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, encoding: 'utf8' });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'consumer-'));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, encoding: 'utf8' });
    const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const peers = ['cdk8s', 'constructs'].map((name) => [name, devDependencies[name]]);
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ dependencies: { 'cdk8s-linkerd': `file:${tarball}`, ...Object.fromEntries(peers) } }),
    );
    const { stdout, stderr } = spawnSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      encoding: 'utf8',
    });
    installed = stdout + stderr;
    writeFileSync(
      join(folder, 'main.ts'),
      `import { LinkerdMesh, Platform } from 'cdk8s-linkerd';
       const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
       platform.addCluster('home', {}, (home) => { new LinkerdMesh(home, 'mesh', { operator: {}, rotation: {} }); });
       platform.run();`,
    );
    mkdirSync(join(folder, 'typed'));
    const options = { module: 'nodenext', strict: true, noEmit: true, target: 'es2023', types: [] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['main.ts', 'bad.ts'] }),
    );
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('installs without a warning and without a script', () => {
    expect(installed.match(/^.*(?:EBADENGINE|deprecated|script|peer).*$/gim) ?? []).toEqual([]);
    expect(existsSync(join(folder, 'node_modules/cdk8s-linkerd/build/lib/index.js'))).toBe(true);
  });

  it('brings the documents that its README refers to', () => {
    const library = join(folder, 'node_modules/cdk8s-linkerd');
    const documents = [
      'README.md',
      ...readdirSync(join(library, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.md'))
        .map((file) => join('docs', file)),
    ];
    const missing = documents.flatMap((document) =>
      [...readFileSync(join(library, document), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target = '']) => join(dirname(document), target))
        .filter((target) => !existsSync(join(library, target)))
        .map((target) => `${document}: ${target}`),
    );
    expect(documents.length).toBeGreaterThan(4);
    expect(missing).toEqual([]);
  });

  it('has types that a strict project compiles, without skipLibCheck', () => {
    run(join(bin, 'tsc'), '-p', '.');
  });

  it('has types that refuse an unknown value', () => {
    writeFileSync(
      join(folder, 'bad.ts'),
      `import { LinkerdMesh } from 'cdk8s-linkerd';
       import { App, Chart } from 'cdk8s';
       // @ts-expect-error: it is called controllerReplicas
       new LinkerdMesh(new Chart(new App(), 'home'), 'mesh', { values: { controlerReplicas: 3 } });`,
    );
    run(join(bin, 'tsc'), '-p', '.');
    rmSync(join(folder, 'bad.ts'));
  });

  it('has optional props that may be undefined, where a project is exact about that', () => {
    const names = readFileSync(join(folder, 'node_modules/cdk8s-linkerd/build/lib/index.d.ts'), 'utf8').match(
      /\w+Props\b/g,
    );
    const generic = ['Mesh', 'ControlPlane', 'Cni', 'Crds'].map((part) => `Linkerd${part}Props`);
    const perRelease = [...generic, 'VizProps', 'JaegerToTempoProps'];
    const all = [...new Set(names)].map((name) => (perRelease.includes(name) ? `${name}<'edge-26.8.3'>` : name));
    expect(all.length).toBeGreaterThan(40);
    mkdirSync(join(folder, 'exact'));
    writeFileSync(
      join(folder, 'exact/main.ts'),
      `import { LinkerdMesh, Platform, Prometheus } from 'cdk8s-linkerd';
       import type { ${[...new Set(names)].join(', ')} } from 'cdk8s-linkerd';
       type Optional<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? K : never }[keyof T];
       /** The optional members that must be left out rather than be undefined. */
       type Exact<T> = { [K in Optional<T>]: Record<K & string, undefined> extends Pick<T, K> ? never : K }[Optional<T>];
       export const exact: { readonly none: [${all.map((name) => `Exact<${name}>`).join(', ')}][number][] } = {
         none: [] satisfies never[],
       };
       export type None = [(typeof exact.none)[number]] extends [never] ? true : never;
       export const none: None = true;
       // @ts-expect-error this project is one
       export const own: { readonly prop?: string } = { prop: undefined };
       const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', argocd: undefined });
       platform.addCluster('home', { domain: undefined, destination: { name: 'home', server: undefined } }, (home) => {
         const prometheus = Prometheus.external({ url: 'http://prometheus:9090', scraper: undefined });
         new LinkerdMesh(home, 'mesh', { cni: undefined, values: { proxy: { logLevel: undefined } }, viz: { prometheus } });
       });`,
    );
    const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, target: 'es2023', types: [] };
    writeFileSync(
      join(folder, 'exact/tsconfig.json'),
      JSON.stringify({
        compilerOptions: { ...compilerOptions, exactOptionalPropertyTypes: true, skipLibCheck: true },
        include: ['main.ts'],
      }),
    );
    run(join(bin, 'tsc'), '-p', 'exact');
  });

  it('synthesizes with plain Node.js', () => {
    run(join(bin, 'esbuild'), 'main.ts', '--format=cjs', '--outfile=main.js');
    expect(run('node', 'main.js')).toContain('1 cluster');
    expect(existsSync(join(folder, 'dist/home/linkerd/deployment.linkerd-identity.yaml'))).toBe(true);
    const program = readFileSync(
      join(folder, 'dist/home/linkerd-reconciler/configmap.linkerd-reconciler-program.yaml'),
      'utf8',
    );
    expect(program.length).toBeGreaterThan(100_000);
    expect(run('node', 'main.js', '--check')).toContain('up to date');
  });

  it('synthesizes with the oldest Node.js of its engines, anchors in PEM included', () => {
    const anchor = readFileSync(join(root, 'test/pki/fixtures/anchor.pem'), 'utf8');
    writeFileSync(
      join(folder, 'oldest.js'),
      `const { LinkerdMesh, Platform, TrustAnchor } = require('cdk8s-linkerd');
       const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: 'oldest' });
       const external = [{ kind: 'ClusterIssuer', name: 'vault' }];
       platform.addCluster('home', { external }, (home) => {
         const trustAnchor = TrustAnchor.fromPem({ certificates: ${JSON.stringify(anchor)}, issuer: { name: 'vault' } });
         const monitoring = { namespace: 'linkerd' };
         new LinkerdMesh(home, 'mesh', { pki: { trustAnchor }, operator: {}, rotation: {}, monitoring });
       });
       platform.run();`,
    );
    expect(run(oldestNode(), 'oldest.js')).toContain('1 cluster');
    expect(run(oldestNode(), 'node_modules/.bin/cdk8s-linkerd', 'render', 'linkerd2-cni')).toContain('kind: DaemonSet');
  });

  it('brings none of the packages that the operator was made of', () => {
    for (const name of ['@kubernetes', 'prom-client', 'linkerd-reconciler', 'cdk8s-plus-28']) {
      expect(existsSync(join(folder, 'node_modules', name))).toBe(false);
    }
  });

  it('has a command that renders a chart', () => {
    const printed = run(
      join(folder, 'node_modules/.bin/cdk8s-linkerd'),
      'render',
      'linkerd2-cni',
      '--set',
      'logLevel=debug',
    );
    expect(printed).toContain('kind: DaemonSet');
    expect(printed).toContain('"log_level": "debug"');
  });

  it('passes publint', () => {
    execFileSync(join(bin, 'publint'), ['--strict', root], { encoding: 'utf8' });
  });
});
