import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Problem } from '#base/findings/problem';
import type { Answers } from '#lib/cli/init/answers';
import { managerOf, PACKAGE_MANAGERS } from '#lib/cli/init/package-manager';
import { defaultPath, type Folder, PACKAGES, type Project, planProject } from '#lib/cli/init/project';
import { LIBRARY_VERSION } from '#lib/gitops/synth/output/library-version';
import { devDependencies } from '../../../package.json';

const ANSWERS: Answers = {
  repoUrl: 'https://git.example.com/platform.git',
  path: 'dist',
  clusters: ['home'],
  fleet: false,
  gatewayApi: 'install',
  highAvailability: true,
  operator: true,
  ci: 'github',
  library: `^${LIBRARY_VERSION}`,
};

function folder(files: Readonly<Record<string, string>> = {}, more: Partial<Folder> = {}): Folder {
  return { name: 'platform', files: new Map(Object.entries(files)), folders: new Set(), prefix: '', ...more };
}

function planned(answers: Partial<Answers> = {}, there: Folder = folder()): Project {
  const project = planProject({ ...ANSWERS, ...answers }, there);
  if (!('created' in project)) throw new Error(JSON.stringify(project));
  return project;
}

function refused(answers: Partial<Answers>, there: Folder = folder()): readonly string[] {
  const problems = planProject({ ...ANSWERS, ...answers }, there);
  return 'created' in problems ? [] : problems.map(({ code }: Problem) => code);
}

const MAIN = "import { App } from 'cdk8s';\n";
const CDK8S_INIT = {
  'package.json': JSON.stringify({
    name: 'app',
    scripts: { synth: 'cdk8s synth', compile: 'tsc --build', test: 'jest' },
    dependencies: { cdk8s: '^2.70.60', constructs: '^10.4.0' },
    devDependencies: { typescript: '5.9.x', 'ts-node': '^10' },
  }),
  'main.ts': MAIN,
  'tsconfig.json': '{}',
  'cdk8s.yaml': 'language: typescript\napp: npx ts-node main.ts\n',
  '.gitignore': '*.js\nnode_modules\ndist\n',
};

test('init writes a whole project into an empty folder', () => {
  const { created, manifest, kept, remarks } = planned();
  expect([...created.keys()]).toEqual([
    'package.json',
    'tsconfig.json',
    'cdk8s.yaml',
    '.gitignore',
    '.gitattributes',
    'main.ts',
    '.github/workflows/linkerd.yml',
  ]);
  expect([manifest, kept, remarks]).toEqual([undefined, [], []]);
  expect(JSON.parse(created.get('package.json') ?? '')).toEqual({
    name: 'platform',
    private: true,
    type: 'module',
    scripts: { compile: 'tsc', synth: 'tsx main.ts', check: 'tsx main.ts --check', diff: 'cdk8s-linkerd diff' },
    dependencies: { ...PACKAGES.dependencies, 'cdk8s-linkerd': `^${LIBRARY_VERSION}` },
    devDependencies: { ...PACKAGES.devDependencies, ...PACKAGES.cdk8sCli },
  });
});

test('init writes the program that docs/start-here.md shows', () => {
  const guide = readFileSync(join(__dirname, '../../../docs/start-here.md'), 'utf8');
  expect(guide).toContain(`\`\`\`ts main.ts\n${planned({ highAvailability: false }).created.get('main.ts')}\`\`\``);
});

test('init requires the package versions with which this library is tested', () => {
  expect(devDependencies).toMatchObject({ ...PACKAGES.dependencies, ...PACKAGES.devDependencies });
});

test.each([
  ['Plattform 2', 'plattform-2'],
  ['Ünïcödé', 'u-ni-co-de'],
  ['集群', 'mesh'],
  ['node_modules', 'mesh'],
  ['cdk8s-linkerd', 'mesh'],
  ['.hidden', 'hidden'],
  ['x'.repeat(300), 'x'.repeat(200)],
])('init changes the folder name %s to a package name that npm accepts', (name, expected) => {
  const manifest = JSON.parse(planned({}, folder({}, { name })).created.get('package.json') ?? '');
  expect(manifest.name).toBe(expected);
});

test('init keeps all files and settings of a project of `cdk8s init`', () => {
  const { created, manifest = '', kept, remarks, synth } = planned({ path: 'linkerd' }, folder(CDK8S_INIT));
  expect([...created.keys()]).toEqual(['.gitattributes', 'linkerd.ts', '.github/workflows/linkerd.yml']);
  expect(kept).toEqual(['tsconfig.json', 'cdk8s.yaml', '.gitignore']);
  expect(remarks).toEqual([
    '.gitignore: ignore node_modules, *.cdk8s-linkerd.lock, .cdk8s-linkerd-staging, and commit linkerd',
  ]);
  expect(synth).toBe('linkerd:synth');
  expect(JSON.parse(manifest)).toEqual({
    name: 'app',
    scripts: {
      synth: 'cdk8s synth',
      compile: 'tsc --build',
      test: 'jest',
      'linkerd:synth': 'tsx linkerd.ts',
      'linkerd:check': 'tsx linkerd.ts --check',
      'linkerd:diff': 'cdk8s-linkerd diff --to linkerd',
    },
    dependencies: { cdk8s: '^2.70.60', 'cdk8s-linkerd': `^${LIBRARY_VERSION}`, constructs: '^10.4.0' },
    devDependencies: { ...PACKAGES.devDependencies, 'ts-node': '^10', typescript: '5.9.x' },
  });
  expect(created.get('.github/workflows/linkerd.yml')).toContain('- run: npm run linkerd:check\n');
});

test('init keeps the indentation and contents of package.json', () => {
  const scripts = fc.dictionary(fc.string(), fc.string());
  fc.assert(
    fc.property(
      fc.constantFrom('\t', ' ', '    '),
      scripts,
      scripts,
      fc.dictionary(fc.string(), fc.jsonValue()),
      (indent, a, b, c) => {
        const before = { ...c, scripts: a, dependencies: b };
        const { manifest = '' } = planned(
          {},
          folder({ 'package.json': `\uFEFF${JSON.stringify(before, null, indent)}` }),
        );
        expect(JSON.parse(manifest)).toMatchObject(JSON.parse(JSON.stringify(before)));
        expect(manifest).toMatch(new RegExp(`^\\{\n${indent}"`));
      },
    ),
  );
});

test.each(['', '[]', 'null', '{', '{"scripts": []}', '{"scripts": {"a": 1}}', '{"dependencies": "a"}'])(
  'init refuses a package.json of %j',
  (text) => expect(refused({}, folder({ 'package.json': text }))).toEqual(['file-unreadable']),
);

test.each<[string, Partial<Answers>, Folder, string]>([
  ['an empty URL', { repoUrl: '' }, folder(), 'repository-refused'],
  ['an invalid URL', { repoUrl: 'platform' }, folder(), 'repository-refused'],
  ['a URL with a password', { repoUrl: 'https://a:hunter2@git.example.com/p.git' }, folder(), 'credentials-found'],
  ['a token in a URL', { repoUrl: `https://ghp_${'a'.repeat(36)}@github.com/a/b.git` }, folder(), 'credentials-found'],
  ['a URL with a wildcard', { repoUrl: 'https://git.example.com/*.git' }, folder(), 'repository-refused'],
  ['a path above the folder', { path: '../dist' }, folder({}, { prefix: undefined }), 'repository-refused'],
  ['an empty path', { path: '' }, folder(), 'outdir-refused'],
  ['the path node_modules', { path: 'node_modules' }, folder(), 'outdir-refused'],
  ['an empty list of clusters', { clusters: [] }, folder(), 'clusters-missing'],
  ['a cluster in capitals', { clusters: ['Home'] }, folder(), 'name-invalid'],
  ['a cluster with an umlaut', { clusters: ['hügel'] }, folder(), 'name-invalid'],
  ['two clusters of one name', { clusters: ['a', 'a'] }, folder(), 'cluster-name-taken'],
  ['a cluster called argocd', { clusters: ['argocd'] }, folder(), 'cluster-name-taken'],
  ['an output folder that is not empty', {}, folder({}, { folders: new Set(['dist']) }), 'outdir-refused'],
  ['the default output folder of `cdk8s synth`', {}, folder({ 'cdk8s.yaml': 'app: node main.js' }), 'outdir-refused'],
  ['the output folder in cdk8s.yaml', { path: 'out' }, folder({ 'cdk8s.yaml': 'output: ./out/' }), 'outdir-refused'],
  ['a cdk8s.yaml that cannot be read', {}, folder({ 'cdk8s.yaml': '{' }), 'outdir-refused'],
  ['a path outside of the folder', {}, folder({}, { prefix: 'a/b/' }), 'outdir-refused'],
  ['a pipeline outside of the root', { path: 'a/dist' }, folder({}, { prefix: 'a/' }), 'pipeline-not-at-root'],
  ['a second program', {}, folder({ 'main.ts': "from 'cdk8s-linkerd'" }), 'outdir-refused'],
  ['a folder with main.ts and linkerd.ts', {}, folder({ 'main.ts': MAIN, 'linkerd.ts': MAIN }), 'outdir-refused'],
])('init refuses %s', (_what, answers, there, code) => expect(refused(answers, there)).toContain(code));

test('init puts the output of a subfolder into the subfolder', () => {
  expect(defaultPath(folder({}, { prefix: 'clusters/' }))).toBe('clusters/dist');
  expect(defaultPath(folder(CDK8S_INIT))).toBe('linkerd');
  const { created } = planned({ path: 'clusters/dist', ci: 'none' }, folder({}, { prefix: 'clusters/' }));
  expect(created.get('main.ts')).toContain("path: 'clusters/dist',");
});

test('init keeps an existing pipeline, and prints the lines to add', () => {
  const { kept, remarks } = planned({ ci: 'gitlab' }, folder({ '.gitlab-ci.yml': 'x' }));
  expect(kept).toEqual(['.gitlab-ci.yml']);
  expect(remarks).toEqual(['.gitlab-ci.yml: run npm ci, npm run compile, npm run check and npm run diff']);
});

test.each([
  ['github', '.github/workflows/linkerd.yml'],
  ['gitlab', '.gitlab-ci.yml'],
] as const)('init writes a pipeline for %s that compiles, checks and shows the diff', (ci, path) => {
  const { created } = planned({ ci });
  const text = created.get(path) ?? '';
  expect(() => parse(text)).not.toThrow();
  for (const command of ['npm ci', 'npm run compile', 'npm run check', 'npm run --silent diff'])
    expect(text).toContain(command);
});

test('init sets a merge driver for the output, and keeps existing attributes', () => {
  const { created } = planned({ path: 'clusters/mesh', ci: 'none' }, folder({}, { prefix: 'clusters/' }));
  expect(created.get('.gitattributes')).toContain('\nmesh/** merge=cdk8s-linkerd ');
  const { kept, remarks } = planned({}, folder({ '.gitattributes': '*.png binary\n' }));
  expect(kept).toEqual(['.gitattributes']);
  expect(remarks).toEqual(['.gitattributes: add dist/** merge=cdk8s-linkerd linguist-generated']);
});

test('init adds cdk8s-cli only to a project whose cdk8s.yaml it writes', () => {
  const devDependenciesOf = (text = '') => JSON.parse(text).devDependencies;
  expect(devDependenciesOf(planned().created.get('package.json'))).toMatchObject(PACKAGES.cdk8sCli);
  const { manifest } = planned({ path: 'linkerd' }, folder(CDK8S_INIT));
  expect(devDependenciesOf(manifest)).not.toHaveProperty('cdk8s-cli');
});

test('init reports that it writes no pipeline into a subfolder', () => {
  const there = folder({}, { prefix: 'clusters/mesh/' });
  const { remarks } = planned({ ci: 'none', path: 'clusters/mesh/dist' }, there);
  expect(remarks).toEqual([expect.stringMatching(/^no CI file was written.* with the folder clusters\/mesh$/)]);
  expect(planned({ ci: 'none' }).remarks).toEqual([]);
});

test.each([
  [['package-lock.json'], 'npm'],
  [['pnpm-lock.yaml', 'package.json'], 'pnpm'],
  [['yarn.lock'], 'yarn'],
  [['bun.lock'], 'bun'],
  [['bun.lockb'], 'bun'],
  [['package.json'], undefined],
])('managerOf derives from the files %j the package manager %s', (files, name) => {
  expect(managerOf(new Set(files))?.name).toBe(name);
});

test.each(PACKAGE_MANAGERS)('init writes pipelines that run only $name', (manager) => {
  for (const ci of ['github', 'gitlab'] as const) {
    const { created, manager: used } = planned({ ci }, folder({}, { manager }));
    expect(used).toBe(manager);
    const [, text = ''] = [...created].find(([path]) => path.endsWith('.yml')) ?? [];
    expect(() => parse(text)).not.toThrow();
    expect(text).toContain(manager.ci);
    expect(text).toContain(`- ${ci === 'github' ? 'run: ' : ''}${manager.name} run check\n`);
    if (manager.name !== 'npm') expect(text).not.toMatch(/npm ci|package-lock|cache: npm|(?<!p)npm run/);
  }
});
