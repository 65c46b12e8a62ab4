import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { init } from '#bin/init-command';
import type { InitOptions } from '#bin/init-questions';
import { readFiles, temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { type Outcome, runInMemory } from './fake-terminal';

const ROOT = join(__dirname, '..', '..');
const directory = temporaryDirectory();
const project = () => join(directory.path, 'platform');
const URL = 'https://git.example.com/platform.git';
const LIBRARY = ['--library', '^1.2.3'];

function run(...args: readonly string[]): Promise<Outcome> {
  return runInMemory(['init', project(), '--no-install', ...LIBRARY, ...args]);
}

/** The files of the project's folder, without Git's. */
function written(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(readFiles(project())).filter(([path]) => !path.startsWith('.git/')));
}

/** Runs init at a terminal with these lines as answers. */
async function answer(lines: readonly string[], options: Partial<InitOptions> = {}) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true }),
  );
  const asked = text(stdout as PassThrough);
  const terminal = { stdin: stdin as PassThrough, stdout: stdout as PassThrough, stderr: { write: () => true } };
  // All lines can be written at once: readline reads a line only after its question.
  for (const line of lines) stdin?.write(`${line}\n`);
  stdin?.end();
  const code = await init(
    project(),
    { install: false, library: '^1.2.3', ...options },
    { ...terminal, readFile: () => '' },
  );
  stdout?.end();
  return { code, asked: await asked };
}

test('init writes a project with defaults, and asks no questions without a terminal', async () => {
  const { code, stdout, stderr } = await run('--repo-url', URL);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('wrote main.ts\n');
  expect(stdout).toContain('kubectl apply --server-side -f dist/argocd/appproject.linkerd-mesh.yaml -f dist/argocd\n');
  expect(stdout).not.toContain('register');
  expect(Object.keys(written())).toEqual(expect.arrayContaining(['.github/workflows/linkerd.yml', 'main.ts']));
  expect(JSON.parse(written()['package.json'] ?? '')).toMatchObject({ name: 'platform' });
});

test('init applies each option to the project', async () => {
  const options = ['--fleet', '--no-operator', '--no-high-availability', '--library', 'file:a.tgz'];
  const chosen = ['--clusters', 'home, edge', '--gateway-api', 'existing', '--ci', 'gitlab'];
  const { code } = await run('--repo-url', URL, ...options, ...chosen);
  expect(code).toBe(0);
  const files = written();
  expect(files['fleet.yaml']).toContain('- { name: "edge", destination: { name: "edge" } }');
  expect(files['.gitlab-ci.yml']).toContain('npm run compile');
  expect(files['main.ts']).toContain("gatewayApi: 'existing'");
  expect(files['main.ts']).toContain('highAvailability: false');
  expect(files['main.ts']).not.toContain('operator:');
  expect(files['package.json']).toContain('"cdk8s-linkerd": "file:a.tgz"');
});

test('init reads the repository’s URL from the repository that contains the folder', async () => {
  mkdirSync(join(project(), 'mesh'), { recursive: true });
  execFileSync('git', ['-C', project(), 'init', '--quiet']);
  execFileSync('git', ['-C', project(), 'remote', 'add', 'origin', 'git@git.example.com:a/b.git']);
  const { code } = await runInMemory(['init', join(project(), 'mesh'), '--no-install', '--yes', ...LIBRARY]);
  expect(code).toBe(0);
  expect(written()['mesh/main.ts']).toContain("repoUrl: 'git@git.example.com:a/b.git'");
  expect(written()['mesh/main.ts']).toContain("path: 'mesh/dist'");
  expect(Object.keys(written()).filter((path) => path.includes('.github'))).toEqual([]);
});

test('init refuses a password in the repository’s URL, and does not print it', async () => {
  mkdirSync(project());
  execFileSync('git', ['-C', project(), 'init', '--quiet']);
  execFileSync('git', ['-C', project(), 'remote', 'add', 'origin', 'https://a:hunter2@git.example.com/b.git']);
  const { code, stderr } = await run('--yes');
  expect(code).toBe(1);
  expect(stderr).toContain('[credentials-found]');
  expect(stderr).not.toContain('hunter2');
  expect(written()).toEqual({});
});

test('init requires --repo-url outside of a repository', async () => {
  expect(await run('--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('--repo-url is missing') });
  expect(existsSync(project())).toBe(false);
});

test('init requires --library in a copy that npm did not install', async () => {
  const { code, stderr } = await runInMemory(['init', project(), '--repo-url', URL, '--no-install']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--library is missing') });
  expect(existsSync(project())).toBe(false);
});

test('init reports all mistakes at once, and writes nothing', async () => {
  const { code, stderr } = await run('--repo-url', 'x', '--clusters', 'A,a,a', '--path', '/');
  expect(code).toBe(1);
  for (const problem of ['repository-refused', 'name-invalid', 'cluster-name-taken', 'repository-refused'])
    expect(stderr).toContain(`[${problem}]`);
  expect(existsSync(project())).toBe(false);
});

test('init keeps every file of an existing project except package.json', async () => {
  const before = {
    'package.json': '{\n\t"name": "app",\n\t"scripts": { "synth": "cdk8s synth" }\n}',
    'main.ts': 'export {};\n',
    'cdk8s.yaml': 'app: node main.js\n',
    'dist/a.k8s.yaml': 'a: 1\n',
  };
  writeFiles(project(), before);
  const { code, stdout } = await run('--repo-url', URL, '--ci', 'none');
  expect(code).toBe(0);
  expect(stdout).toContain('kept cdk8s.yaml unchanged\n');
  expect(stdout).toContain('added scripts and packages to package.json\n');
  const after = written();
  expect(after).toMatchObject({
    ...before,
    'package.json': expect.stringContaining('\t"linkerd:synth": "tsx linkerd.ts"'),
  });
  expect(after['linkerd.ts']).toContain("outdir: 'linkerd'");
  expect(await run('--repo-url', URL)).toMatchObject({ code: 1, stderr: expect.stringContaining('[outdir-refused]') });
  expect(written()).toEqual(after);
});

test.each<[string, () => void]>([
  ['a file in place of a folder', () => writeFileSync(join(project(), '.github'), 'a')],
  ['a package.json that is a broken link', () => symlinkSync('/nowhere/package.json', join(project(), 'package.json'))],
  ['a package.json that is a folder', () => mkdirSync(join(project(), 'package.json'))],
  [
    'a new package.json that another program writes',
    () => {
      writeFileSync(join(project(), 'package.json'), '{}');
      mkdirSync(join(project(), 'package.json.new'));
    },
  ],
])('init changes nothing in a folder with %s', async (_what, spoil) => {
  mkdirSync(project());
  spoil();
  const before = readdirSync(project());
  const { code, stderr } = await run('--repo-url', URL);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/^error: /);
  expect(readdirSync(project())).toEqual(before);
});

test('init leaves no files on a full disk', () => {
  const library = `file:${'x'.repeat(2000)}`;
  const script = `ulimit -f 1; exec "$@" init '${project()}' --repo-url ${URL} --no-install --library ${library}`;
  const program = [join(ROOT, 'node_modules', '.bin', 'tsx'), join(ROOT, 'bin', 'cdk8s-linkerd.ts')];
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...program], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^error: Nothing was written: EFBIG/),
  });
  expect(existsSync(project())).toBe(false);
});

test('init prints the next steps for the folder of the project', async () => {
  const odd = join(directory.path, "it's $HOME");
  const { stdout } = await runInMemory(['init', odd, '--repo-url', URL, '--no-install', ...LIBRARY]);
  expect(stdout).toContain(`- cd '${directory.path}/it'\\''s $HOME' && npm install && npm run synth\n`);
  mkdirSync(project());
  const place = process.cwd();
  process.chdir(project());
  try {
    const here = await runInMemory(['init', '--repo-url', URL, '--no-install', ...LIBRARY]);
    expect(here.stdout).toContain('\n  - npm install && npm run synth\n');
  } finally {
    process.chdir(place);
  }
});

describe('init, with packages to install,', () => {
  const { PATH } = process.env;
  afterEach(() => {
    process.env.PATH = PATH;
  });

  /** Replaces PATH by a folder with only this npm, which records its arguments. */
  function withNpm(script: string): void {
    const bin = join(directory.path, 'bin');
    writeFiles(bin, { npm: `#!/bin/sh\necho "$*" >> ${join(directory.path, 'calls')}\n${script}\n` });
    chmodSync(join(bin, 'npm'), 0o755);
    process.env.PATH = bin;
  }
  const calls = () => readFileSync(join(directory.path, 'calls'), 'utf8');

  test('runs npm install, and then synthesizes', async () => {
    withNpm('exit 0');
    const { code, stdout } = await runInMemory(['init', project(), '--repo-url', URL, ...LIBRARY]);
    expect({ code, calls: calls() }).toEqual({ code: 0, calls: 'install\nrun --silent synth\n' });
    expect(stdout).not.toContain('npm install');
  });

  test('leaves a complete project and prints the next steps if npm install fails', async () => {
    withNpm('exit 1');
    const { code, stdout, stderr } = await runInMemory(['init', project(), '--repo-url', URL, ...LIBRARY]);
    expect({ code, calls: calls() }).toEqual({ code: 1, calls: 'install\n' });
    expect(stderr).toContain('error: npm install failed');
    expect(stdout).toContain('npm install && npm run synth');
    expect(Object.keys(written())).toContain('main.ts');
  });

  test('reports that it cannot run npm', async () => {
    process.env.PATH = join(directory.path, 'nothing');
    const { code, stderr } = await runInMemory(['init', project(), '--repo-url', URL, ...LIBRARY]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot run npm') });
  });
});

test('init refuses a file as its folder', async () => {
  writeFileSync(project(), '');
  expect(await run('--repo-url', URL)).toMatchObject({ code: 2, stderr: expect.stringContaining('is a file') });
});

describe('init at a terminal', () => {
  test('asks for missing options, and again after a wrong answer', async () => {
    const lines = ['no url', URL, '', 'Home', 'home edge', 'Y', 'maybe', 'existing', 'n', '', 'none'];
    const { code, asked } = await answer(lines);
    expect(code).toBe(0);
    expect(asked).toContain('register the clusters of fleet.yaml in Argo CD');
    expect(asked).toContain('URL of the Git repository that Argo CD reads: ');
    expect(asked).toContain('"maybe" is not one of install, existing');
    const files = written();
    expect(files['main.ts']).toContain("gatewayApi: 'existing'");
    expect(files['main.ts']).toContain('highAvailability: false');
    expect(files['main.ts']).toContain('operator: {}');
    expect(files['fleet.yaml']).toContain('edge');
    expect(readFileSync(join(project(), 'main.ts'), 'utf8')).toContain(URL);
    expect(existsSync(join(project(), '.github'))).toBe(false);
  });

  test('does not ask for options that are set', async () => {
    const { code, asked } = await answer(['', '', '', '', ''], {
      repoUrl: URL,
      path: 'dist',
      clusters: 'a',
      ci: 'none',
    });
    expect(code).toBe(0);
    expect(asked).not.toContain('URL of the Git repository');
    expect(asked).toContain('List the clusters in fleet.yaml (yes, no) [no]: ');
  });

  test('asks no questions with --yes', async () => {
    expect((await answer([], { yes: true, repoUrl: URL })).asked).toMatch(/^wrote package\.json\n/);
  });

  test('writes nothing if the input ends before the last answer', async () => {
    await expect(answer([URL, ''])).rejects.toThrow('nothing was written');
    expect(existsSync(project())).toBe(false);
  });
});

test.each([
  ['.', 'dist'],
  ['apps', 'apps/dist'],
  ['apps/mesh', 'apps/mesh/dist'],
])(
  'in the folder %s of a repository, whether it exists or not, init writes a program with the path %s',
  async (folder, path) => {
    for (const exists of [false, true]) {
      const root = join(directory.path, String(exists));
      mkdirSync(exists ? join(root, folder) : root, { recursive: true });
      execFileSync('git', ['init', '--quiet', root]);
      const args = ['init', join(root, folder), '--no-install', ...LIBRARY, '--repo-url', URL, '--ci', 'none'];
      expect(await runInMemory(args)).toMatchObject({ code: 0 });
      const program = readFileSync(join(root, folder, 'main.ts'), 'utf8');
      expect(/path: '(.*)'/.exec(program)?.[1] ?? 'dist').toBe(path);
    }
  },
);
