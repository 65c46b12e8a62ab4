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
/** The first release of each line that `engines` allows, the release that runs these tests (24), and the newest. */
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

  it('synthesizes a mesh, with its operator', () => {
    expect(Object.keys(expected)).toContain('home/linkerd/deployment.linkerd-identity.yaml');
    const program = expected['home/linkerd-reconciler/configmap.linkerd-reconciler-program.yaml'] ?? '';
    expect(program.length).toBeGreaterThan(100_000);
  });

  describe.each(NODES)('by Node.js %s', (_, node) => {
    const least = { 'cdk8s-linkerd': 35, 'cdk8s-linkerd/recipes': 7, 'cdk8s-linkerd/testing': 4 };
    const anchor = readFileSync(join(root, 'test/constructs/pki/fixtures/anchor.pem'), 'utf8');
    let shown: readonly { readonly module: keyof typeof least; readonly count: number; readonly hidden: string[] }[];

    /** Loads the library by `import` and then by `require` in one process: both share its state. */
    beforeAll(() => {
      const program = project.write(
        'all.mjs',
        `import { createRequire } from 'node:module';
         import { LinkerdMesh, Platform, TrustAnchor } from 'cdk8s-linkerd';
         process.env.CDK8S_OUTDIR = 'esm';
         await import('./main.mjs');
         process.env.CDK8S_OUTDIR = 'cjs';
         const require = createRequire(import.meta.url);
         require('./main.cjs');
         process.env.CDK8S_OUTDIR = 'anchor';
         const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
         platform.addCluster('home', { external: [{ kind: 'ClusterIssuer', name: 'vault' }] }, (home) => {
           const trustAnchor = TrustAnchor.fromPem({ certificates: ${JSON.stringify(anchor)}, issuer: { name: 'vault' } });
           new LinkerdMesh(home, 'mesh', { pki: { trustAnchor } });
         });
         platform.run();
         const shown = [];
         for (const module of ${JSON.stringify(Object.keys(least))}) {
           const names = await import(module);
           const required = Object.keys(require(module));
           shown.push({ module, count: required.length, hidden: required.filter((name) => !(name in names)) });
         }
         console.log(JSON.stringify(shown));`,
      );
      for (const folder of ['esm', 'cjs', 'anchor'])
        rmSync(join(project.folder, folder), { recursive: true, force: true });
      shown = JSON.parse(project.run(node(), program).trim().split('\n').at(-1) ?? '');
    });

    it.each(['esm', 'cjs'])('writes the same bytes: %s', (folder) => {
      expect(readFiles(join(project.folder, folder))).toEqual(expected);
    });

    it('exports every name of CommonJS also to ES modules', () => {
      expect(shown.map(({ module }) => module)).toEqual(Object.keys(least));
      for (const { module, count } of shown) expect(count).toBeGreaterThan(least[module]);
      expect(shown.flatMap(({ hidden }) => hidden)).toEqual([]);
    });

    it('reads anchors in PEM', () => {
      const files = readFiles(join(project.folder, 'anchor'));
      expect(JSON.stringify(files)).toContain(anchor.split('\n')[1]);
    });
  });

  it.each([OLDEST, NEWEST])('has assertions for the test runner of Node.js %s', (_, node) => {
    project.write(
      'mesh.test.mjs',
      `import { test } from 'node:test';
       import { LinkerdCni, Platform } from 'cdk8s-linkerd';
       import { synthesize } from 'cdk8s-linkerd/testing';
       const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
       platform.addCluster('home', {}, (home) => void new LinkerdCni(home, 'cni'));
       const expectStrategy = (type) =>
         synthesize(platform).cluster('home').hasResource('DaemonSet', { spec: { updateStrategy: { type } } });
       test('its own', () => expectStrategy('RollingUpdate'));
       test('another one', () => expectStrategy('OnDelete'));`,
    );
    expect(() => project.run(node(), '--test', '--test-reporter=tap', 'mesh.test.mjs')).toThrow(
      /ok 1 - its own.*home has no DaemonSet like .*The nearest of \d+ is DaemonSet linkerd-cni\/.*pass 1\n.*fail 1\n/s,
    );
  });

  it('renders charts with the oldest Node.js', () => {
    const command = '../node_modules/.bin/cdk8s-linkerd';
    expect(project.run(oldestNode(), command, 'render', 'linkerd2-cni')).toContain('kind: DaemonSet');
  });

  it('reads a fleet whose settings have a schema of any draft that is in use', () => {
    const drafts = [
      'http://json-schema.org/draft-07/schema#',
      'https://json-schema.org/draft/2019-09/schema',
      'https://json-schema.org/draft/2020-12/schema',
    ];
    project.write('fleet.yaml', 'clusters:\n  - { name: home, settings: { zones: three } }\n');
    project.write(
      'fleet.cjs',
      `const { readFleet } = require('cdk8s-linkerd');
       for (const $schema of ${JSON.stringify(drafts)}) {
         try {
           readFleet('fleet.yaml', { settings: { $schema, properties: { zones: { type: 'integer' } } } });
         } catch (error) {
           console.log(error.message.split('\\n').join(' '));
         }
       }`,
    );
    const message = expect.stringContaining('zones is "three", not a whole number');
    expect(project.run('node', 'fleet.cjs').trim().split('\n')).toEqual(drafts.map(() => message));
  });

  it('has no expression that TypeScript 7.0.2 compiles wrongly', () => {
    // TypeScript 7.0.2 compiles `new (require('x') as X).y()` to `new require('x').y()`.
    const library = join(project.folder, '../node_modules/cdk8s-linkerd/build');
    const files = readdirSync(library, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    expect(files.filter((file) => /\bnew require\(/.test(readFileSync(join(library, file), 'utf8')))).toEqual([]);
  });

  it('exports only its public modules', () => {
    project.write('inside.cjs', "require('cdk8s-linkerd/build/lib/index.js');");
    expect(() => project.run('node', 'inside.cjs')).toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
    project.write('version.cjs', "console.log(require('cdk8s-linkerd/package.json').name);");
    expect(project.run('node', 'version.cjs')).toBe('cdk8s-linkerd\n');
  });

  it.each([
    ['one CommonJS file', 'bundle/one.cjs', []],
    // constructs and cdk8s load modules of Node.js by `require`, which ES modules lack.
    [
      'one ES module with a `require`',
      'bundle/one.mjs',
      ["--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"],
    ],
  ])('can be bundled into %s, including schemas and chart values', (_, file, options) => {
    project.transpile('main.ts', file, '--bundle', '--platform=node', '--log-override:empty-glob=error', ...options);
    // Runs the bundle in a folder without node_modules.
    const bundle = join(tmpdir(), `${basename(project.folder)}-${basename(file)}`);
    renameSync(join(project.folder, file), bundle);
    project.run('env', 'CDK8S_OUTDIR=bundled', 'node', bundle);
    expect(readFiles(join(project.folder, 'bundled'))).toEqual(expected);
    rmSync(join(project.folder, 'bundled'), { recursive: true });
    rmSync(bundle);
  });
});
