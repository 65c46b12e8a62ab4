import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readFiles } from '../gitops/synth/output/tree-on-disk';
import { MESH_PROGRAM, type Project, projectWithLibrary } from '../support/consumer/project';
import { nodeRelease, oldestNode } from '../support/node-releases';

const root = join(__dirname, '..', '..');

type Node = readonly [name: string, program: () => string];
const OLDEST: Node = ['20.0.0, the oldest', oldestNode];
const NEWEST: Node = ['26.10.0', () => nodeRelease('26.10.0')];
/** The first release of each line that `engines` allows, and the newest that there was: 24 is what runs these tests. */
const NODES: readonly Node[] = [
  OLDEST,
  ['22.0.0', () => nodeRelease('22.0.0')],
  ['24', () => process.execPath],
  NEWEST,
];

describe('the packed library, imported', () => {
  let project: Project;
  let expected: Readonly<Record<string, string>>;

  beforeAll(async () => {
    project = await projectWithLibrary();
    project.write('main.ts', MESH_PROGRAM);
    project.transpile('main.ts', 'main.cjs');
    project.transpile('main.ts', 'main.mjs');
    expect(project.run('node', 'main.cjs')).toContain('1 cluster');
    expected = readFiles(join(project.folder, 'dist'));
  });

  function outputOf(node: string, program: string): Readonly<Record<string, string>> {
    const folder = join(project.folder, 'other');
    rmSync(folder, { recursive: true, force: true });
    project.run('env', 'CDK8S_OUTDIR=other', node, program);
    return readFiles(folder);
  }

  it('synthesizes a mesh, with its operator, and finds it up to date', () => {
    expect(Object.keys(expected)).toContain('home/linkerd/deployment.linkerd-identity.yaml');
    const program = expected['home/linkerd-reconciler/configmap.linkerd-reconciler-program.yaml'] ?? '';
    expect(program.length).toBeGreaterThan(100_000);
    expect(project.run('node', 'main.cjs', '--check')).toContain('up to date');
  });

  describe.each(NODES)('by Node.js %s', (_, node) => {
    it.each(['main.cjs', 'main.mjs'])('gives the same bytes by %s', (file) => {
      expect(outputOf(node(), file)).toEqual(expected);
    });

    it('shows ES modules every name that CommonJS has', () => {
      const least = { 'cdk8s-linkerd': 35, 'cdk8s-linkerd/recipes': 7, 'cdk8s-linkerd/testing': 4 };
      project.write(
        'names.mjs',
        `import { createRequire } from 'node:module';
         const require = createRequire(import.meta.url);
         const shown = [];
         for (const module of ${JSON.stringify(Object.keys(least))}) {
           const names = await import(module);
           const required = Object.keys(require(module));
           shown.push({ module, count: required.length, hidden: required.filter((name) => !(name in names)) });
         }
         console.log(JSON.stringify(shown));`,
      );
      const shown: readonly {
        readonly module: keyof typeof least;
        readonly count: number;
        readonly hidden: string[];
      }[] = JSON.parse(project.run(node(), 'names.mjs'));
      expect(shown.map(({ module }) => module)).toEqual(Object.keys(least));
      for (const { module, count } of shown) expect(count).toBeGreaterThan(least[module]);
      expect(shown.flatMap(({ hidden }) => hidden)).toEqual([]);
    });
  });

  it.each([OLDEST, NEWEST])('has assertions for the test runner of Node.js %s', (_, node) => {
    project.write(
      'mesh.test.mjs',
      `import { test } from 'node:test';
       import { LinkerdMesh, Platform } from 'cdk8s-linkerd';
       import { synthesize } from 'cdk8s-linkerd/testing';
       const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
       platform.addCluster('home', {}, (home) => new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'existing' } }) && undefined);
       test('the mesh', () => synthesize(platform).cluster('home').hasResource('Deployment', { spec: { replicas: 3 } }));
       test('another one', () => synthesize(platform).cluster('home').hasResource('Deployment', { spec: { replicas: 7 } }));`,
    );
    expect(() => project.run(node(), '--test', '--test-reporter=tap', 'mesh.test.mjs')).toThrow(
      /ok 1 - the mesh.*home has no Deployment like .*The nearest of \d+ is Deployment linkerd\/.*pass 1\n.*fail 1\n/s,
    );
  });

  it('reads anchors in PEM and renders charts with the oldest Node.js', () => {
    const anchor = readFileSync(join(root, 'test/constructs/pki/fixtures/anchor.pem'), 'utf8');
    project.write(
      'anchor.cjs',
      `const { LinkerdMesh, Platform, TrustAnchor } = require('cdk8s-linkerd');
       const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: 'anchor' });
       const external = [{ kind: 'ClusterIssuer', name: 'vault' }];
       platform.addCluster('home', { external }, (home) => {
         const trustAnchor = TrustAnchor.fromPem({ certificates: ${JSON.stringify(anchor)}, issuer: { name: 'vault' } });
         const monitoring = { namespace: 'linkerd' };
         new LinkerdMesh(home, 'mesh', { pki: { trustAnchor }, operator: {}, rotation: {}, monitoring });
       });
       platform.run();`,
    );
    expect(project.run(oldestNode(), 'anchor.cjs')).toContain('1 cluster');
    const command = '../node_modules/.bin/cdk8s-linkerd';
    expect(project.run(oldestNode(), command, 'render', 'linkerd2-cni')).toContain('kind: DaemonSet');
  });

  it.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('reads a fleet whose settings have a schema of %s', (draft) => {
    project.write('fleet.yaml', 'clusters:\n  - { name: home, settings: { zones: three } }\n');
    project.write(
      'fleet.cjs',
      `const { readFleet } = require('cdk8s-linkerd');
       const settings = { $schema: '${draft}', properties: { zones: { type: 'integer' } } };
       readFleet('fleet.yaml', { settings });`,
    );
    expect(() => project.run('node', 'fleet.cjs')).toThrow(/zones is "three", not a whole number/);
  });

  it('has no expression that its compiler has taken for another', () => {
    // TypeScript 7.0.2 makes `new require('x').y()` of `new (require('x') as X).y()`.
    const library = join(project.folder, '../node_modules/cdk8s-linkerd/build');
    const files = readdirSync(library, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    expect(files.filter((file) => /\bnew require\(/.test(readFileSync(join(library, file), 'utf8')))).toEqual([]);
  });

  it('keeps its insides to itself', () => {
    project.write('inside.cjs', "require('cdk8s-linkerd/build/lib/index.js');");
    expect(() => project.run('node', 'inside.cjs')).toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
    project.write('version.cjs', "console.log(require('cdk8s-linkerd/package.json').name);");
    expect(project.run('node', 'version.cjs')).toBe('cdk8s-linkerd\n');
  });

  it.each([
    ['one CommonJS file', 'bundle/one.cjs', []],
    // constructs and cdk8s ask for modules of Node.js by `require`, which ES modules do not have by themselves.
    [
      'one ES module that has a `require`',
      'bundle/one.mjs',
      ["--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"],
    ],
    ['an ES module beside its packages', 'beside.mjs', ['--packages=external']],
  ])('can be bundled into %s, schemas and chart values included', (_, file, options) => {
    project.transpile('main.ts', file, '--bundle', '--platform=node', '--log-override:empty-glob=error', ...options);
    // Elsewhere, where there are no packages.
    const bundle = file.startsWith('bundle/') ? join(tmpdir(), `${basename(project.folder)}-${basename(file)}`) : file;
    if (bundle !== file) renameSync(join(project.folder, file), bundle);
    expect(outputOf('node', bundle)).toEqual(expected);
    if (bundle !== file) rmSync(bundle);
  });
});
