import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';

const ROOT = join(__dirname, '..', '..');
const directory = temporaryDirectory();
const repository = () => join(directory.path, 'repository');
const calls = () => join(directory.path, 'calls');
const read = (name: string) => parse(readFileSync(join(ROOT, 'examples/ci', name), 'utf8'));
const MARK = '<!-- cdk8s-linkerd diff -->';

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', repository(), ...identity, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Creates a repository with two commits of an output. */
function makeRepository(): void {
  git('init', '--quiet', '--initial-branch', 'main');
  commit('1');
  commit('2');
}

function commit(value: string): void {
  writeFiles(join(repository(), 'dist'), {
    [`home/${INDEX_FILE}`]: JSON.stringify({ writer: 'x', charts: [], files: ['b/configmap.a.yaml'] }),
    'home/b/configmap.a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\ndata:\n  a: ${value}\n`,
  });
  git('add', '--all');
  git('commit', '--quiet', '--message', value);
}

/** Writes a program of the runner. Scripts log their arguments to CALLS, except the one that runs cdk8s-linkerd. */
function program(name: string, answer: string): void {
  const file = join(directory.path, 'bin', name);
  writeFileSync(file, `#!/bin/bash\nset -eu\n${answer}\n`);
  chmodSync(file, 0o755);
}

function run(
  script: string,
  variables: Readonly<Record<string, string>>,
): { readonly status: number | null; readonly stderr: string } {
  const path = `${join(directory.path, 'bin')}:${process.env.PATH}`;
  const env = { PATH: path, HOME: directory.path, CALLS: calls(), ...variables };
  // Runners of GitHub and GitLab use these options.
  const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: repository(),
    env,
  });
  return { status, stderr: stderr.toString() };
}

function noted(): readonly string[] {
  return existsSync(calls()) ? readFileSync(calls(), 'utf8').trim().split('\n') : [];
}

beforeEach(() => {
  mkdirSync(join(directory.path, 'bin'));
  mkdirSync(repository());
  const ours = `exec node ${join(ROOT, 'tools/start/start.cjs')} bin/cdk8s-linkerd.ts "$@"`;
  program('npx', `if [ "$1" = cdk8s-linkerd ]; then shift; ${ours}; fi\necho "npx $*" >> "$CALLS"`);
  program('npm', 'echo "npm $*" >> "$CALLS"');
});

interface GithubStep {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

describe('the workflow of GitHub', () => {
  const workflow = read('github-diff.yml');
  const steps = (job: string): readonly GithubStep[] => workflow.jobs[job].steps;

  test('runs the code of a pull request without a token, and writes the comment without running this code', () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request']);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.defaults.run.shell).toBe('bash');
    expect(workflow.jobs.diff.permissions).toBeUndefined();
    expect(steps('diff').find(({ uses }) => uses?.startsWith('actions/checkout'))?.with).toMatchObject({
      'persist-credentials': false,
    });
    expect(JSON.stringify(workflow.jobs.diff)).not.toMatch(/secrets\.|token/i);
    expect(workflow.jobs.comment.permissions).toEqual({ 'pull-requests': 'write' });
    expect(JSON.stringify(steps('comment'))).not.toMatch(/checkout|npm |npx /);
    expect(workflow.jobs.comment.if).toContain('head.repo.full_name == github.repository');
    // No script contains untrusted text, such as the name of a branch.
    for (const { run: script = '' } of [...steps('diff'), ...steps('comment')]) expect(script).not.toContain('${{');
  });

  test('compares the merge commit with the target branch', () => {
    makeRepository();
    const summary = join(directory.path, 'summary');
    for (const { run: script } of steps('diff')) {
      if (script !== undefined)
        expect(run(script, { GITHUB_STEP_SUMMARY: summary })).toEqual({ status: 0, stderr: '' });
    }
    expect(readFileSync(summary, 'utf8')).toContain('`data.a`: `1` → `2`');
    expect(readFileSync(join(repository(), 'diff.html'), 'utf8')).toContain('<!doctype html>');
    expect(noted()).toEqual(['npm ci', 'npx tsc --noEmit', 'npx tsx main.ts --check --format github']);
  });

  const variables = { GITHUB_REPOSITORY: 'a/b', NUMBER: '7' };
  const comment = () => run(steps('comment').find(({ name }) => name === 'Comment')?.run ?? 'false', variables);

  test.each([
    ['', 'api --silent --method POST repos/a/b/issues/7/comments --field body=@diff.md'],
    ['11\n12', 'api --silent --method PATCH repos/a/b/issues/comments/11 --field body=@diff.md'],
  ])('creates a comment, or edits the existing one: %j', (found, call) => {
    program('gh', `echo "$*" >> "$CALLS"\nif [[ "$*" == *--jq* ]]; then printf '%s' '${found}'; fi`);
    expect(comment()).toEqual({ status: 0, stderr: '' });
    const [search, ...others] = noted();
    expect(search).toContain('api --paginate repos/a/b/issues/7/comments?per_page=100 --jq ');
    expect(search).toContain(`startswith("${MARK}")`);
    expect(others).toEqual([call]);
  });

  test('fails where GitHub does not answer', () => {
    program('gh', 'exit 1');
    expect(comment().status).toBe(1);
  });
});

describe('the pipeline of GitLab', () => {
  const { diff, note } = read('gitlab-diff.yml');

  test('runs the code of a merge request without a token, and writes the note without running this code', () => {
    expect(JSON.stringify(diff)).not.toMatch(/TOKEN/);
    expect(note.variables.GIT_STRATEGY).toBe('none');
    expect(JSON.stringify(note.script)).not.toMatch(/npm |npx /);
  });

  test('compares with the base commit of the merge request', () => {
    makeRepository();
    const base = git('rev-parse', 'HEAD~1');
    expect(run(diff.script.join('\n'), { CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(join(repository(), 'diff.md'), 'utf8')).toContain('`data.a`: `1` → `2`');
    for (const path of diff.artifacts.paths) expect(existsSync(join(repository(), path))).toBe(true);
    expect(noted()).toEqual(['npm ci --cache .npm', 'npx tsc --noEmit', 'npx tsx main.ts --check']);
  });

  const API = 'https://gitlab.example.com/api/v4';
  const variables = { CI_API_V4_URL: API, CI_PROJECT_ID: '1', CI_MERGE_REQUEST_IID: '7', DIFF_TOKEN: 'hidden' };
  const others = (count: number) => Array.from({ length: count }, (_, id) => ({ id, author: { id: 1 }, body: MARK }));
  const ours = { id: 500, author: { id: 2 }, body: `${MARK}\n` };

  test.each([
    [[], 'POST', '/notes'],
    [[others(100), others(3)], 'POST', '/notes'],
    [[others(100), [...others(1), ours]], 'PUT', '/notes/500'],
  ])('creates a note, or edits its own note and ignores notes of other authors', (pages, method, path) => {
    const answers = [...pages, []]
      .map((page, index) => `*page=${index + 1}) echo '${JSON.stringify(page)}';;`)
      .join('\n');
    program(
      'curl',
      `url=''\nfor one in "$@"; do case "$one" in https:*) url="$one";; esac; done\necho "$*" >> "$CALLS"\ncase "$url" in\n*/user) echo '{"id":2}';;\n${answers}\nesac`,
    );
    expect(run(note.script.join('\n'), variables)).toEqual({ status: 0, stderr: '' });
    const last = noted().at(-1) ?? '';
    expect(last).toContain(`--request ${method} ${API}/projects/1/merge_requests/7${path} --form body=<diff.md`);
    expect(noted().filter((call) => call.includes('--request'))).toHaveLength(1);
  });

  test('fails where GitLab does not answer', () => {
    program('curl', 'exit 22');
    expect(run(note.script.join('\n'), variables).status).not.toBe(0);
  });
});
