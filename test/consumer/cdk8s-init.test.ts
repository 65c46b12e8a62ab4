import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { consumerPrograms } from '../support/consumer/programs';
import { type Project, projectWithLibrary } from '../support/consumer/project';
import { installTemplate, writeTemplate } from '../support/consumer/template-project';

const PACKAGES = join(__dirname, '..', '..', 'node_modules');

/** What a user adds to main.ts of that template. */
const CHART = `
    new LinkerdMesh(this, 'mesh', { operator: {}, rotation: {} });
`;

describe('in a project as `cdk8s init typescript-app` makes it, the packed library', () => {
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
    const main = readFileSync(join(project.folder, 'main.ts'), 'utf8');
    const edited = main
      .replace('import { Construct }', "import { LinkerdMesh } from 'cdk8s-linkerd';\nimport { Construct }")
      .replace(/\n *\/\/ define resources here\n/, CHART);
    expect(edited).toContain(CHART);
    project.write('main.ts', edited);
    const modules = await installTemplate(project);
    for (const name of ['jest', 'tsc', 'ts-node']) {
      rmSync(join(modules, '.bin', name), { force: true });
      symlinkSync(join(consumerPrograms(), '.bin', name), join(modules, '.bin', name));
    }
  });

  it('compiles with its tsconfig.json, whose target is ES2017 and which has declarations', () => {
    project.run('node_modules/.bin/tsc', '--build');
    expect(readFileSync(join(project.folder, 'main.d.ts'), 'utf8')).toContain('class MyChart');
  });

  it('passes its test by ts-jest', () => {
    project.run('node_modules/.bin/jest', '--ci=false', '-u');
    const snapshot = readFileSync(join(project.folder, '__snapshots__/main.test.ts.snap'), 'utf8');
    expect(snapshot).toContain('"name": "linkerd-identity"');
  });

  it('is synthesized by `cdk8s synth`', () => {
    project.run(join(PACKAGES, '.bin', 'cdk8s'), 'synth');
    const [manifest = ''] = readdirSync(join(project.folder, 'dist'));
    expect(readFileSync(join(project.folder, 'dist', manifest), 'utf8')).toContain('name: linkerd-identity');
  });
});
