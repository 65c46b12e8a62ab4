import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { installedLibrary } from '../support/consumer/installed-library';
import { consumerPrograms } from '../support/consumer/programs';
import { MESH_PROGRAM, Project } from '../support/consumer/project';

describe('the dependencies of the packed library', () => {
  let library: string;
  let flat: string;
  let declared: readonly string[];

  beforeAll(async () => {
    flat = join((await installedLibrary()).folder, 'node_modules');
    library = join(flat, 'cdk8s-linkerd');
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'));
    declared = Object.keys({ ...dependencies, ...peerDependencies }).sort();
  });

  function built(end: string): readonly string[] {
    return readdirSync(join(library, 'build'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(end))
      .map((file) => join(library, 'build', file));
  }

  it('are exactly the packages that its modules import', async () => {
    const { metafile } = await build({
      entryPoints: ['lib/index.js', 'lib/recipes.js', 'lib/testing.js', 'bin/cdk8s-linkerd.js'].map((file) =>
        join(library, 'build', file),
      ),
      outdir: library,
      bundle: true,
      // JSON imports nothing.
      loader: { '.json': 'empty' },
      write: false,
      metafile: true,
      packages: 'external',
      platform: 'node',
      logLevel: 'silent',
    });
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    const builtin = (name: string) => name.startsWith('node:') && builtinModules.includes(name.slice('node:'.length));
    const packages = new Set(imported.filter((name) => !builtin(name) && !name.startsWith('.')).map(packageOf));
    expect([...packages].sort()).toEqual(declared);
  });

  it('include all packages that its types import', () => {
    const named = built('.d.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|<reference types=)["']([^.'"][^'"]*)["']/g)].map(
        ([, name = '']) => name,
      ),
    );
    // Built-in modules of Node.js are not dependencies.
    const packages = new Set(named.filter((name) => !name.startsWith('node:')).map(packageOf));
    expect([...packages].filter((name) => !declared.includes(name))).toEqual([]);
    expect(packages).toContain('cdk8s');
  });

  const yarn = () => join(consumerPrograms(), '@yarnpkg/cli-dist/bin/yarn.js');
  const pnpm = () => join(consumerPrograms(), 'pnpm/bin/pnpm.cjs');

  // If the variable CI is set, both refuse to install without a lock file by default.
  describe.each([
    { name: 'pnpm', install: () => [pnpm(), 'install', '--prefer-offline', '--no-frozen-lockfile'], node: () => [] },
    {
      name: "Yarn's Plug'n'Play",
      install: () => [yarn(), 'install', '--no-immutable'],
      node: () => ['--require', './.pnp.cjs'],
    },
  ])('suffice if $name restricts each package to its own dependencies', ({ install, node }) => {
    let project: Project;
    const run = (...args: readonly string[]) => project.run('env', 'YARN_ENABLE_TELEMETRY=0', 'node', ...args);

    beforeAll(async () => {
      const { folder, tarball } = await installedLibrary();
      project = new Project(mkdtempSync(join(tmpdir(), 'strict-')));
      const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const own = { ...dependencies, 'cdk8s-linkerd': `file:${tarball}` };
      project.write('package.json', { private: true, dependencies: own });
      project.write('yarn.lock', '');
      project.write('main.ts', MESH_PROGRAM);
      project.transpile('main.ts', 'main.cjs');
      run(...install());
    });

    afterAll(() => rmSync(project.folder, { recursive: true }));

    it('to synthesize a mesh in a project that cannot import ajv', () => {
      project.write(
        'all.cjs',
        `try { require('ajv'); } catch (error) { console.log(error.message); }
         require('./main.cjs');`,
      );
      expect(run(...node(), 'all.cjs')).toMatch(/(?:Cannot find module 'ajv'|tried to access ajv).*1 cluster/s);
    });
  });
});

function packageOf(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}
