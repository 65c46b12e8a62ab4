import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readFiles } from '../gitops/synth/output/tree-on-disk';
import { consumerPrograms } from '../support/consumer/programs';
import { type Project, projectWithLibrary } from '../support/consumer/project';
import { installTemplate, writeTemplate } from '../support/consumer/template-project';

const PACKAGES = join(__dirname, '..', '..', 'node_modules');
const URL = 'https://git.example.com/platform.git';

/** Code that a user adds to main.ts of the template of `cdk8s init`. */
const CHART = `
    new LinkerdMesh(this, 'mesh', { operator: {}, rotation: {} });
`;

describe('a project of `cdk8s init typescript-app`', () => {
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

  it('compiles with its tsconfig.json, with target ES2017 and declarations', () => {
    project.run('npm', 'run', 'compile');
    expect(readFileSync(join(project.folder, 'main.d.ts'), 'utf8')).toContain('class MyChart');
  });

  // The test above checks the types, so ts-jest and ts-node skip the check.
  it('passes its test by ts-jest', () => {
    const transform = { '^.+\\.tsx?$': ['ts-jest', { isolatedModules: true }] };
    project.run('node_modules/.bin/jest', '--ci=false', '-u', '--transform', JSON.stringify(transform));
    const snapshot = readFileSync(join(project.folder, '__snapshots__/main.test.ts.snap'), 'utf8');
    expect(snapshot).toContain('"name": "linkerd-identity"');
  });

  it('runs the mesh of `cdk8s-linkerd init` as a separate program', () => {
    expect(project.run('npm', 'run', 'linkerd:synth')).toMatch(/1 cluster, \d+ files: \d+ written/);
    const { scripts } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'));
    expect(scripts['linkerd:check']).toBe(`${scripts['linkerd:synth']} --check`);
  });

  it('is synthesized by `cdk8s synth`, which does not change the output of the mesh', () => {
    const before = readFiles(join(project.folder, 'linkerd'));
    project.run('env', 'TS_NODE_TRANSPILE_ONLY=true', 'npm', 'run', 'synth');
    expect(readdirSync(join(project.folder, 'dist'))).toEqual(['app.k8s.yaml']);
    expect(readFileSync(join(project.folder, 'dist/app.k8s.yaml'), 'utf8')).toContain('name: linkerd-identity');
    expect(readFiles(join(project.folder, 'linkerd'))).toEqual(before);
  });
});
