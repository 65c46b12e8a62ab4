import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFigures } from '#tools/package/facts';
import { PROGRAMS } from '../cli/migrate/programs';
import { type InstalledLibrary, installedLibrary } from '../support/consumer/installed-library';
import { MESH_PROGRAM, type Project, projectWithLibrary } from '../support/consumer/project';

const root = join(__dirname, '..', '..');

describe('the packed library, installed in a fresh project', () => {
  let project: Project;
  let installed: InstalledLibrary;
  let packages: string;

  beforeAll(async () => {
    installed = await installedLibrary();
    project = await projectWithLibrary();
    packages = join(installed.folder, 'node_modules');
  });

  it('is installed without a warning and without a script', () => {
    expect(installed.output.match(/^.*(?:EBADENGINE|deprecated|script|peer).*$/gim) ?? []).toEqual([]);
    expect(existsSync(join(packages, 'cdk8s-linkerd/build/lib/index.js'))).toBe(true);
  });

  it('contains the documents that its documents link to', () => {
    const library = join(packages, 'cdk8s-linkerd');
    const documents = [
      'README.md',
      ...['docs', 'examples'].flatMap((folder) =>
        readdirSync(join(library, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.md'))
          .map((file) => join(folder, file)),
      ),
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

  it('contains no files that only this repository needs', () => {
    const folders = readdirSync(join(packages, 'cdk8s-linkerd')).sort();
    const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'docs', 'examples'];
    expect(folders).toEqual([...documents, 'build', 'main.ts', 'package.json', 'schemas'].sort());
    const examples = readdirSync(join(packages, 'cdk8s-linkerd/examples'), { recursive: true, encoding: 'utf8' });
    expect(examples.filter((file) => /(?:^|\/)(?:dist|node_modules)(?:\/|$)/.test(file))).toEqual([]);
  });

  it('has comments in its declarations, and none in its code', () => {
    const mesh = join(packages, 'cdk8s-linkerd/build/lib/constructs/mesh');
    expect(readFileSync(`${mesh}.d.ts`, 'utf8')).toContain('/**');
    expect(readFileSync(`${mesh}.js`, 'utf8')).not.toMatch(/\/\*\*|^\s*\/\//m);
  });

  it('contains the licenses of the code in the bundled operator', () => {
    const notices = readFileSync(join(packages, 'cdk8s-linkerd/build/THIRD-PARTY-NOTICES'), 'utf8');
    expect(notices).toContain('@kubernetes/client-node');
    expect(notices).toContain('Apache License');
  });

  it('installs none of the packages that are bundled into the operator', () => {
    for (const name of ['@kubernetes', 'prom-client', 'linkerd-reconciler', 'cdk8s-plus-28']) {
      expect(existsSync(join(packages, name))).toBe(false);
    }
  });

  it('has the comments and defaults of chart values in its declarations', () => {
    const file = 'cdk8s-linkerd/build/imports/charts/linkerd-control-plane/edge-26.8.3.d.ts';
    const text = readFileSync(join(packages, file), 'utf8').replace(/\n\s+\* ?/g, ' ');
    expect(text).toMatch(
      /Log level of proxies, by module: `warn,linkerd=debug`\. +@default 'warn,linkerd=info,hickory=error'/,
    );
  });

  it('has types with which a program and the output of `migrate` compile, and the program synthesizes', () => {
    const options = { strict: true, noUncheckedIndexedAccess: true, target: 'es2023', lib: ['es2023'], types: [] };
    for (const [name, program] of PROGRAMS) project.write(`migrated/${name}.ts`, program);
    const misspelt = `// @ts-expect-error: it is called domain
      export const wrong = () => platform.addCluster('away', { domian: 'k8s.example' }, () => {});`;
    project.write('main.ts', `${MESH_PROGRAM}${misspelt}`);
    project.write('tsconfig.json', { compilerOptions: { ...options, module: 'nodenext' }, include: ['**/*.ts'] });
    project.compile('7', '-p', '.');
    expect(project.run('node', 'main.js')).toMatch(/^1 cluster, \d+ files: \d+ written/m);
  });

  it('has a command that renders a chart', () => {
    const command = join(packages, '.bin/cdk8s-linkerd');
    const printed = project.run(command, 'render', 'linkerd2-cni', '--set', 'logLevel=debug');
    expect(printed).toContain('kind: DaemonSet');
    expect(printed).toContain('"log_level": "debug"');
  });

  it('has the size in its documentation, within 20 %', () => {
    const { archive, unpacked } = readFigures(readFileSync(join(root, 'docs/packaging.md'), 'utf8'));
    expect(Math.abs(statSync(installed.tarball).size / archive - 1)).toBeLessThan(0.2);
    const library = join(packages, 'cdk8s-linkerd');
    const files = readdirSync(library, { recursive: true, encoding: 'utf8' }).map((file) =>
      statSync(join(library, file)),
    );
    const size = files.filter((file) => file.isFile()).reduce((sum, file) => sum + file.size, 0);
    expect(Math.abs(size / unpacked - 1)).toBeLessThan(0.2);
  });

  it('has an SBOM with its dependencies and peers, and without development tools', () => {
    const listed = execFileSync('npm', ['sbom', '--offline', '--sbom-format', 'cyclonedx'], {
      cwd: installed.folder,
      encoding: 'utf8',
    });
    const { components } = JSON.parse(listed) as { readonly components: readonly { readonly name: string }[] };
    const names = components.map(({ name }) => name);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const wanted = ['cdk8s-linkerd', 'cdk8s', 'constructs', ...Object.keys(dependencies)];
    expect(names).toEqual(expect.arrayContaining(wanted));
    expect(names.filter((name) => /typescript|jest|esbuild|client-node|biome/.test(name))).toEqual([]);
  });

  it('passes publint', () => {
    execFileSync(join(root, 'node_modules/.bin/publint'), ['--strict', installed.tarball], { encoding: 'utf8' });
  });
});
