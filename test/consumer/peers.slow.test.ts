import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFiles } from '../gitops/synth/output/tree-on-disk';
import { installedLibrary } from '../support/consumer/installed-library';
import { linkTree } from '../support/consumer/link-tree';
import { consumerPrograms } from '../support/consumer/programs';
import { MESH_PROGRAM, Project } from '../support/consumer/project';

const ROOT = join(__dirname, '..', '..');

/** The oldest and the newest package of cdk8s-plus. */
const PLUS = ['cdk8s-plus-28', 'cdk8s-plus-33'] as const;

/** A program that meshes a Deployment of each package of PLUS. */
const WITH_PLUS = `import { LinkerdMesh, Meshing, Platform } from 'cdk8s-linkerd';
import * as oldest from '${PLUS[0]}';
import * as newest from '${PLUS[1]}';
const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
platform.addCluster('home', {}, (home) => {
  const mesh = new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'existing' } });
  const meshing = new Meshing(home, 'meshing', { controlPlane: mesh.controlPlane });
  meshing.namespace('shop');
  const props = (name: string) => ({
    metadata: { namespace: 'shop', name },
    containers: [{ image: 'nginx:1.29', portNumber: 8080 }],
  });
  meshing.inject(new oldest.Deployment(home, 'a', props('oldest')), { opaquePorts: [8080] });
  meshing.inject(new newest.Deployment(home, 'b', props('newest')), { opaquePorts: [8080] });
});
platform.run();
`;

/** A program that adds an object with a lazy value of the project's cdk8s to a cluster. */
const WITH_LAZY = `import { LinkerdMesh, Platform } from 'cdk8s-linkerd';
import { ApiObject, Lazy } from 'cdk8s';
const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
platform.addCluster('home', {}, (home) => {
  new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'existing' } });
  const data = Lazy.any({ produce: () => ({ a: 'b' }) });
  new ApiObject(home, 'own', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own', namespace: 'default' }, data });
});
platform.run();
`;

describe('with its peers, the packed library', () => {
  let flat: string;
  let project: Project;
  let modules: string;

  beforeAll(async () => {
    flat = join((await installedLibrary()).folder, 'node_modules');
  });

  beforeEach(() => {
    project = new Project(mkdtempSync(join(tmpdir(), 'peers-')));
    modules = join(project.folder, 'node_modules');
    linkTree(flat, modules);
  });

  afterEach(() => rmSync(project.folder, { recursive: true }));

  /** Installs a package into the project or into one of its packages, and replaces an existing one. */
  function put(from: string, name: string, into = modules): void {
    rmSync(join(into, name), { recursive: true, force: true });
    linkTree(join(from, name), join(into, name));
  }

  function run(program: string): string {
    project.write('main.ts', program);
    project.transpile('main.ts', 'main.cjs');
    return project.run('node', 'main.cjs');
  }

  function compile(options: object = {}): void {
    const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, target: 'es2023', types: [], ...options };
    project.write('tsconfig.json', { compilerOptions, include: ['main.ts'] });
    project.compile('7', '-p', '.');
  }

  it('writes the same bytes with the oldest version of each peer', () => {
    run(MESH_PROGRAM);
    const expected = readFiles(join(project.folder, 'dist'));
    rmSync(join(project.folder, 'dist'), { recursive: true });
    const { peerDependencies } = JSON.parse(readFileSync(join(modules, 'cdk8s-linkerd/package.json'), 'utf8'));
    for (const [name, range] of Object.entries(peerDependencies)) {
      put(consumerPrograms(), name);
      expect(`^${JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version}`).toBe(range);
    }
    run(MESH_PROGRAM);
    expect(readFiles(join(project.folder, 'dist'))).toEqual(expected);
    compile();
  });

  it('accepts objects of two packages of cdk8s-plus in one cluster', () => {
    for (const name of PLUS) put(join(ROOT, 'node_modules'), name);
    expect(run(WITH_PLUS)).toContain('1 cluster');
    const output = readFiles(join(project.folder, 'dist'));
    for (const name of ['oldest', 'newest']) {
      expect(output[`home/shop/deployment.${name}.yaml`]).toContain('opaque-ports: "8080"');
    }
    compile({ skipLibCheck: true });
  });

  it('accepts a second copy of constructs', () => {
    put(flat, 'constructs', join(modules, 'cdk8s-linkerd', 'node_modules'));
    expect(run(WITH_LAZY)).toContain('1 cluster');
  });

  it('reports two copies of cdk8s, and writes nothing', () => {
    put(flat, 'cdk8s', join(modules, 'cdk8s-linkerd', 'node_modules'));
    const both = `${WITH_LAZY}
      import { App, Chart } from 'cdk8s';
      const app = new App({ outdir: 'app' });
      new LinkerdMesh(new Chart(app, 'mesh'), 'linkerd');
      app.synth();`;
    const ofCluster = /home\/own.*another copy of cdk8s.*\[cdk8s-duplicate\].*npm ls cdk8s/s;
    const ofApp = /The App belongs to another copy of cdk8s.*\[cdk8s-duplicate\]/s;
    expect(() => run(both)).toThrow(new RegExp(`${ofCluster.source}.*${ofApp.source}`, 's'));
    expect(() => readFiles(join(project.folder, 'dist'))).toThrow('ENOENT');
  });
});
