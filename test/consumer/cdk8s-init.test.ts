import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { installedLibrary } from '../support/consumer/installed-library';
import { linkTree } from '../support/consumer/link-tree';
import { consumerPrograms } from '../support/consumer/programs';
import { type Project, projectWithLibrary } from '../support/consumer/project';

const PACKAGES = join(__dirname, '..', '..', 'node_modules');

/** The files that `cdk8s init typescript-app` copies before it installs. */
const TEMPLATE = join(PACKAGES, 'cdk8s-cli', 'templates', 'typescript-app');

/** What a user adds to main.ts of that template. */
const CHART = `
    new LinkerdMesh(this, 'mesh', { operator: {}, rotation: {} });
`;

describe('in a project as `cdk8s init typescript-app` makes it, the packed library', () => {
  let project: Project;

  beforeAll(async () => {
    project = await projectWithLibrary();
    for (const file of readdirSync(TEMPLATE)) {
      if (!/^(cdk8s\.yaml|jest\.config\.js|main\.ts|main\.test\.ts|package\.json|tsconfig\.json)$/.test(file)) continue;
      project.write(file, readFileSync(join(TEMPLATE, file), 'utf8').replaceAll('{{ $base }}', 'app'));
    }
    const main = readFileSync(join(project.folder, 'main.ts'), 'utf8');
    const edited = main
      .replace('import { Construct }', "import { LinkerdMesh } from 'cdk8s-linkerd';\nimport { Construct }")
      .replace(/\n *\/\/ define resources here\n/, CHART);
    expect(edited).toContain(CHART);
    project.write('main.ts', edited);
    install((await installedLibrary()).folder);
  });

  /** Has `node_modules` of what the template names, beside the library and its peers. */
  function install(folder: string): void {
    const modules = join(project.folder, 'node_modules');
    mkdirSync(join(modules, '.bin'), { recursive: true });
    linkTree(join(folder, 'node_modules'), modules);
    const programs = consumerPrograms();
    for (const name of readdirSync(programs)) {
      if (!existsSync(join(modules, name))) symlinkSync(join(programs, name), join(modules, name));
    }
    for (const name of ['jest', 'tsc', 'ts-node']) {
      rmSync(join(modules, '.bin', name), { force: true });
      symlinkSync(join(programs, '.bin', name), join(modules, '.bin', name));
    }
    linkTree(join(PACKAGES, 'cdk8s-plus-33'), join(modules, 'cdk8s-plus-33'));
  }

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
