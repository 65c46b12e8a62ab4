import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ApiObject, Chart } from 'cdk8s';
import { checkOutputPath } from '#lib/gitops/platform/output-path';
import type { Acknowledgements } from '#lib/gitops/platform/output-run';
import { Platform } from '#lib/gitops/platform/platform';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { gitPlaceOf } from '#lib/gitops/synth/output/git-place';
import { checkOutdir } from '#lib/gitops/synth/output/outdir-check';
import { temporaryDirectory, writeFiles } from './tree-on-disk';

const directory = temporaryDirectory();
const at = (path: string) => join(directory.path, path);

test('synth accepts an existing folder, a missing folder, and a link to a folder as its output', () => {
  mkdirSync(at('there'));
  symlinkSync('there', at('link'));
  expect(['there', 'there/deep/down', 'link'].flatMap((path) => checkOutdir(at(path)))).toEqual([]);
});

test('synth refuses a file, a path below a file, and a broken link as its output', () => {
  writeFileSync(at('file'), '');
  symlinkSync('nowhere', at('link'));
  expect(
    ['file', 'file/deep/down', 'link'].flatMap((path) => checkOutdir(at(path))).map(({ parameters }) => parameters),
  ).toEqual([
    { outdir: at('file'), place: at('file') },
    { outdir: at('file/deep/down'), place: at('file') },
    { outdir: at('link'), place: at('link') },
  ]);
});

describe('a folder with other contents than an output', () => {
  const codes = (outdir: string) => checkOutdir(outdir).map(({ code }) => code);

  test.each(['/', homedir(), process.cwd(), dirname(process.cwd()), dirname(dirname(process.cwd()))])(
    'is refused as an output: %s',
    (outdir) => expect(codes(outdir)).toEqual(['outdir-refused']),
  );

  test('is also refused if the path is a symbolic link to it', () => {
    const link = join(directory.path, 'link');
    symlinkSync('/', link);
    expect(codes(link)).toEqual(['outdir-refused']);
  });

  test('is accepted if it is the root of another repository, or contains an index', () => {
    mkdirSync(join(directory.path, '.git'));
    expect(codes(directory.path)).toEqual([]);
    const cwd = jest.spyOn(process, 'cwd').mockReturnValue(directory.path);
    expect(codes(directory.path)).toEqual(['outdir-refused']);
    writeFiles(directory.path, { [`home/${INDEX_FILE}`]: '{}' });
    expect(codes(directory.path)).toEqual([]);
    cwd.mockRestore();
  });
});

const URL = 'https://git.example.com/org/platform.git';

interface Checkout {
  readonly files?: Readonly<Record<string, string>>;
  readonly remotes?: readonly string[];
  readonly outdir: string;
  readonly path?: string;
}

function found({ files = {}, remotes = [], outdir, path }: Checkout): readonly unknown[] {
  const config = remotes.map((url, index) => `[remote "r${index}"]\n\turl = ${url}\n\tfetch = +refs\n`).join('');
  for (const [file, text] of Object.entries({ '.git/config': `[core]\n${config}`, ...files })) {
    mkdirSync(dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
  return checkOutputPath({ repoUrl: URL, path }, gitPlaceOf(at(outdir))).map(({ parameters }) => parameters);
}

test.each<[string, Checkout, string | undefined]>([
  ['the folder of the prop path', { outdir: 'apps/mesh/dist', path: 'apps/mesh/dist' }, undefined],
  ['the default, in a subfolder', { outdir: 'apps/mesh/dist' }, 'apps/mesh/dist'],
  ['the default, at the root', { outdir: 'dist' }, undefined],
  ['another folder than the default', { outdir: 'linkerd' }, 'linkerd'],
  ['a path that is too deep', { outdir: 'dist', path: 'apps/dist' }, 'dist'],
  ['the root', { outdir: '.', path: '' }, undefined],
  ['the root as a dot', { outdir: '.', path: '.' }, undefined],
  ['a slash at the end', { outdir: 'dist', path: 'dist/' }, undefined],
  ...[
    'git@git.example.com:org/platform.git',
    'ssh://git@git.example.com:22/org/platform',
    'https://git.example.com/Org/platform/',
  ].map((url): [string, Checkout, string] => [`the remote ${url}`, { outdir: 'a/dist', remotes: [url] }, 'a/dist']),
  ['another remote', { outdir: 'a/dist', remotes: ['https://git.example.com/org/app.git'] }, undefined],
  ['one of two remotes', { outdir: 'a/dist', remotes: ['https://git.example.com/fork/platform.git', URL] }, 'a/dist'],
  ['a remote on disk', { outdir: 'a/dist', remotes: ['/srv/git/platform.git'] }, undefined],
  ['a pattern with a class', { outdir: 'a/dist', files: { '.gitignore': '[!x]y\n' } }, undefined],
  [
    'a pattern with many stars',
    { outdir: `${'a'.repeat(80)}/dist`, files: { '.gitignore': '*a*a*a*a*a*b\n' } },
    `${'a'.repeat(80)}/dist`,
  ],
  ['a folder that is ignored', { outdir: 'a/dist', files: { '.gitignore': 'node_modules\ndist\n' } }, undefined],
  ['a folder in an ignored folder', { outdir: '.cache/a/dist', files: { '.gitignore': '.cache/\n' } }, undefined],
  ['a .gitignore in a subfolder', { outdir: 'a/dist', files: { 'a/.gitignore': '/dist/**\n/dist\n' } }, undefined],
  ['a folder that a pattern ignores', { outdir: 'a/b/dist', files: { '.gitignore': '# x\na/**/d?st\n' } }, undefined],
  ['a folder that is included again', { outdir: 'a/dist', files: { '.gitignore': 'dist\n!a/dist\n' } }, 'a/dist'],
  ['a folder that no pattern matches', { outdir: 'a/dist', files: { '.gitignore': '/dist\nist\n*.log\n' } }, 'a/dist'],
  [
    'a worktree',
    {
      outdir: 'tree/a/dist',
      files: { 'tree/.git': 'gitdir: ../.git/worktrees/tree\n', '.git/worktrees/tree/commondir': '../..\n' },
      remotes: [URL],
    },
    'a/dist',
  ],
])('synth compares the output with the path that Argo CD reads: %s', (_, checkout, actual) => {
  expect(found(checkout)).toEqual(actual === undefined ? [] : [{ path: checkout.path ?? 'dist', actual }]);
});

test('synth does not compare an output outside of a repository', () => {
  expect(gitPlaceOf(at('dist'))).toBeUndefined();
});

test('synth reports an output outside of the path of Argo CD once for all clusters', () => {
  mkdirSync(at('.git'));
  const platform = (acknowledge: Acknowledgements) => {
    const made = new Platform({ repoUrl: URL, outdir: at('apps/dist'), acknowledge });
    for (const name of ['one', 'two']) {
      made.addCluster(name, { destination: { name } }, (cluster) => {
        new ApiObject(new Chart(cluster, 'a', { namespace: 'default' }), 'map', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'a', namespace: 'default' },
        });
      });
    }
    return made;
  };
  const codes = (acknowledge: Acknowledgements, options = {}) =>
    platform(acknowledge)
      .synth(options)
      .warnings.map(({ path, problem }) => `${path} ${problem.code}`);
  expect(codes({})).toEqual(['platform output-elsewhere']);
  expect(codes({}, { check: true })).toEqual(['platform output-elsewhere']);
  expect(codes({}, { only: ['one'] })).toEqual([]);
  expect(codes({ 'output-elsewhere': 'the pipeline copies it' })).toEqual([]);
});
