import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readFiles } from '../gitops/synth/output/tree-on-disk';
import { consumerPrograms } from '../support/consumer/programs';
import { type Project, projectWithLibrary } from '../support/consumer/project';
import { installTemplate, writeTemplate } from '../support/consumer/template-project';

const PACKAGES = join(__dirname, '..', '..', 'node_modules');
const URL = 'https://git.example.com/platform.git';

/** What a user adds to main.ts of that template. */
const CHART = `
    new LinkerdMesh(this, 'mesh', { operator: {}, rotation: {} });
`;

describe('in a project as `cdk8s init typescript-app` makes it', () => {
  let project: Project;

  beforeAll(async () => {
    project = await projectWithLibrary();
    writeTemplate(project, [
      'cdk8s.yaml',
      'jest.config.js',
      'main.ts',
      'main.test.ts',
      'package.json',
      'tsconfig.json',
    ]);
    project.run('../node_modules/.bin/cdk8s-linkerd', 'init', '--yes', '--no-install', '--repo-url', URL);
    const main = readFileSync(join(project.folder, 'main.ts'), 'utf8');
    const edited = main
      .replace('import { Construct }', "import { LinkerdMesh } from 'cdk8s-linkerd';\nimport { Construct }")
      .replace(/\n *\/\/ define resources here\n/, CHART);
    expect(edited).toContain(CHART);
    project.write('main.ts', edited);
    const modules = await installTemplate(project);
    const programs = {
      tsx: PACKAGES,
      cdk8s: PACKAGES,
      ...Object.fromEntries(['jest', 'tsc', 'ts-node'].map((name) => [name, consumerPrograms()])),
    };
    for (const [name, folder] of Object.entries(programs)) {
      rmSync(join(modules, '.bin', name), { force: true });
      symlinkSync(join(folder, '.bin', name), join(modules, '.bin', name));
    }
  });

  it('compiles with its tsconfig.json, whose target is ES2017 and which has declarations', () => {
    project.run('npm', 'run', 'compile');
    expect(readFileSync(join(project.folder, 'main.d.ts'), 'utf8')).toContain('class MyChart');
  });

  // The compiler has found the types right: ts-jest and ts-node, which check them again, are told not to.
  it('passes its test by ts-jest', () => {
    const transform = { '^.+\\.tsx?$': ['ts-jest', { isolatedModules: true }] };
    project.run('node_modules/.bin/jest', '--ci=false', '-u', '--transform', JSON.stringify(transform));
    const snapshot = readFileSync(join(project.folder, '__snapshots__/main.test.ts.snap'), 'utf8');
    expect(snapshot).toContain('"name": "linkerd-identity"');
  });

  it('has the mesh of `cdk8s-linkerd init` as a program of its own', () => {
    expect(project.run('npm', 'run', 'linkerd:synth')).toMatch(/1 cluster, \d+ files: \d+ written/);
    const { scripts } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'));
    expect(scripts['linkerd:check']).toBe(`${scripts['linkerd:synth']} --check`);
  });

  it('is synthesized by `cdk8s synth`, and both programs leave the output of the other alone', () => {
    const before = readFiles(join(project.folder, 'linkerd'));
    project.run('env', 'TS_NODE_TRANSPILE_ONLY=true', 'npm', 'run', 'synth');
    expect(readdirSync(join(project.folder, 'dist'))).toEqual(['app.k8s.yaml']);
    expect(readFileSync(join(project.folder, 'dist/app.k8s.yaml'), 'utf8')).toContain('name: linkerd-identity');
    expect(readFiles(join(project.folder, 'linkerd'))).toEqual(before);
  });
});
