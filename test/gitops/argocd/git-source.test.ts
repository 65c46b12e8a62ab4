import { checkGitSource, resolveGitSource } from '../../../lib/gitops/argocd/git-source';

const repoUrl = 'https://git.example.com/platform.git';

describe('repoUrl', () => {
  test.each([
    'https://git.example.com/platform.git',
    'http://git.example.com:3000/team/platform',
    'https://user@dev.azure.com/org/project/_git/repo',
    'ssh://git@git.example.com:2222/platform.git',
    'git@github.com:org/platform.git',
    'file:///srv/git/platform',
  ])('%s is one', (url) => {
    expect(checkGitSource({ repoUrl: url })).toEqual([]);
  });

  test.each([undefined, ''])('%p is missing', (url) => {
    expect(checkGitSource({ repoUrl: url })).toMatchObject([{ code: 'repository-refused' }]);
  });

  test.each([
    'git.example.com/platform.git',
    'oci://registry.example.com/platform',
    'https://git.example.com',
    'https://git.example.com/*',
    'https://git.example.com/{{.name}}.git',
    'https://git.example.com/a b.git',
    '/srv/git/platform',
  ])('%s is none', (url) => {
    expect(checkGitSource({ repoUrl: url })).toMatchObject([{ code: 'repository-refused', parameters: { url } }]);
  });

  test('must not have a password, which is not repeated in the message', () => {
    const problems = checkGitSource({ repoUrl: 'https://bot:hunter2@git.example.com/platform.git' });
    const parameters = { field: 'repoUrl', credentials: 'a password', url: 'https://git.example.com/platform.git' };
    expect(problems).toMatchObject([{ code: 'credentials-found', cause: 'url', parameters }]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });
});

describe('revision', () => {
  test.each([undefined, 'HEAD', 'main', 'release/1.2', 'v1.*', '0123abc'])('%p is one', (revision) => {
    expect(checkGitSource({ repoUrl, revision })).toEqual([]);
  });

  test.each(['', ' main', '{{.name}}'])('%p is none', (revision) => {
    const parameters = { field: 'revision', revision };
    expect(checkGitSource({ repoUrl, revision })).toMatchObject([{ code: 'repository-refused', parameters }]);
  });
});

describe('path', () => {
  test.each([undefined, '', 'dist', 'clusters/prod_1/dist.d'])('%p is one', (path) => {
    expect(checkGitSource({ repoUrl, path })).toEqual([]);
  });

  test.each([
    ['/dist', 'dist'],
    ['dist/', 'dist'],
    ['../dist', 'dist'],
    ['a//b', 'a/b'],
    ['./a/./b', 'a/b'],
    ['.argo/dist', 'dist'],
    ['dist/*', 'dist'],
    ['{{.name}}', 'dist'],
  ])('%s is none, %s would be', (path, better) => {
    const parameters = { field: 'path', path, example: better };
    expect(checkGitSource({ repoUrl, path })).toMatchObject([{ code: 'repository-refused', parameters }]);
  });
});

test('all problems are reported at once', () => {
  expect(checkGitSource({ revision: '', path: '/' })).toHaveLength(3);
});

test('the default is the folder dist of the default branch', () => {
  expect(resolveGitSource({ repoUrl })).toEqual({ repoUrl, revision: 'HEAD', prefix: 'dist/' });
});

test('the root of the repository has no prefix', () => {
  expect(resolveGitSource({ repoUrl, path: '' }).prefix).toBe('');
});
