import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parseCommandLine } from '#lib/gitops/platform/command-line';
import { Platform } from '#lib/gitops/platform/platform';
import type { SynthReport } from '#lib/gitops/platform/report';
import type { Cluster } from '#lib/gitops/tree/cluster';
import { runInMemory } from '../bin/fake-terminal';
import { temporaryDirectory } from '../gitops/synth/output/tree-on-disk';
import { component, configMap } from '../support/cluster-fixture';

const CI = join(__dirname, '..', '..', 'examples', 'ci');
const read = (name: string) => parse(readFileSync(join(CI, name), 'utf8'));
const directory = temporaryDirectory();
const repository = () => join(directory.path, 'repository');
const remote = () => join(directory.path, 'remote.git');
const RINGS = ['early', 'rest'] as const;
const CLUSTERS = { hub: 'main', a: 'early', b: 'early', c: 'rest', d: 'rest', e: 'rest' } as const;

/** A run of a job: its commands and their variables. */
interface Run {
  readonly commands: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Returns the runs of a job of GitHub's workflow, one for each member of its matrix. */
function githubRuns(job: string, inputs: Readonly<Record<string, string>> = {}): readonly Run[] {
  const { steps, env = {}, strategy } = read('github-fleet.yml').jobs[job];
  const members: readonly Readonly<Record<string, unknown>>[] = strategy
    ? strategy.matrix.shard.map((shard: number) => ({ 'matrix.shard': shard }))
    : [{}];
  return members.map((member) => {
    const values: Readonly<Record<string, unknown>> = { ...member, 'inputs.ring': inputs.ring };
    const evaluated = (expression: string): string => {
      const [, name = expression, is, then, or] =
        /^([\w.]+) == '(\w+)' && '(\w+)' \|\| '(\w+)'$/.exec(expression) ?? [];
      return is === undefined ? String(values[name]) : String(values[name] === is ? then : or);
    };
    const filled = (text: string) =>
      text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => evaluated(expression));
    const variables = Object.fromEntries(Object.entries<string>(env).map(([name, text]) => [name, filled(text)]));
    return {
      commands: steps.flatMap(({ run }: { run?: string }) => (run === undefined ? [] : [filled(run)])),
      variables,
    };
  });
}

/** Returns the runs of a job of GitLab's pipeline. */
function gitlabRuns(job: string): readonly Run[] {
  const { script, parallel } = read('gitlab-fleet.yml')[job];
  if (typeof parallel === 'number') {
    const variables = (index: number) => ({ CI_NODE_INDEX: `${index + 1}`, CI_NODE_TOTAL: `${parallel}` });
    return Array.from({ length: parallel }, (_, index) => ({ commands: script, variables: variables(index) }));
  }
  const members: readonly Run['variables'][] = parallel?.matrix ?? [{}];
  return members.map((variables) => ({ commands: script, variables }));
}

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', repository(), ...identity, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Creates a repository with the output of a small fleet, and with branches of rings at the commit of `main`. */
function makeRepository(): void {
  mkdirSync(repository());
  git('init', '--quiet', '--initial-branch', 'main');
  git('init', '--quiet', '--bare', remote());
  git('remote', 'add', 'origin', remote());
  pushOutput('old', ['main', ...RINGS.map((ring) => `main:ring/${ring}`)]);
}

/** Commits the output of the fleet with a setting, and pushes it. */
function pushOutput(setting: string, branches: readonly string[]): void {
  platform(setting).synth();
  git('add', '--all');
  git('commit', '--quiet', '--message', setting);
  git('push', '--quiet', 'origin', ...branches);
}

function platform(setting: string): Platform {
  const made = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
    outdir: join(repository(), 'dist'),
    rings: ['main', ...RINGS.map((name) => ({ name, revision: `ring/${name}` }))],
  });
  for (const [name, ring] of Object.entries(CLUSTERS)) {
    made.addCluster(name, { ring, destination: { name } }, (cluster: Cluster) => {
      configMap(component(cluster, 'shop'), 'settings', 'shop', { setting });
    });
  }
  return made;
}

/** Expects a command to wait for the preceding ring. test/bin/status-command runs it with live clusters. */
function expectGate(command: string, { RING, BEFORE }: Run['variables']): void {
  expect(BEFORE).toBe(RING === 'early' ? 'canary' : 'early');
  expect(command).toContain(`--ring ${BEFORE} `);
}

/** Expects a plan to list only the clusters of a ring. */
async function expectPlan(args: readonly string[], expected: string | undefined): Promise<void> {
  const before = process.cwd();
  process.chdir(repository());
  const { code, stdout, stderr } = await runInMemory(args).finally(() => process.chdir(before));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const [cluster, ring] of Object.entries(CLUSTERS)) {
    expect(new RegExp(`^## .*\\b${cluster}\\b`, 'm').test(stdout)).toBe(ring === expected);
  }
}

/** Runs the commands of a job, those of the library in this process. Returns the reports of synth. */
async function carryOut({ commands, variables }: Run, setting: string): Promise<readonly SynthReport[]> {
  const reports: SynthReport[] = [];
  for (const command of commands) {
    const filled = command.replace(/\$\{?(\w+)\}?/g, (_, name: string) => variables[name] ?? '').replaceAll('"', '');
    const [program, name, ...args] = filled.split(' ');
    // examples.program.test.ts compiles programs.
    if (filled.startsWith('npm ci') || filled === 'npx tsc --noEmit') continue;
    if (filled.includes('npx cdk8s-linkerd status ')) expectGate(filled, variables);
    else if (program === 'git') {
      // Pushes to the remote of this test in place of GitLab.
      execFileSync('bash', ['-c', command.replace(/"https:[^"]*"/, 'origin')], {
        cwd: repository(),
        env: { ...process.env, ...variables },
        stdio: 'pipe',
      });
    } else if (name === 'tsx') {
      expect(args.shift()).toBe('main.ts');
      const request = parseCommandLine(args);
      if (request.type !== 'synth') throw new Error(`not understood: ${filled}`);
      reports.push(platform(setting).synth(request.options));
    } else {
      expect([program, name]).toEqual(['npx', 'cdk8s-linkerd']);
      await expectPlan(args, variables.RING);
    }
  }
  return reports;
}

describe.each([
  ['GitHub', (job: string, ring: string) => githubRuns(job, { ring })],
  ['GitLab', (job: string, ring: string) => gitlabRuns(job).filter(({ variables: { RING = ring } }) => RING === ring)],
])('on %s', (_, runsOf) => {
  beforeEach(makeRepository);

  test('the jobs of a change check each cluster once, and the objects of Argo CD', async () => {
    const runs = [...runsOf('clusters', 'rest'), ...runsOf('argocd', 'rest')];
    const right = (await Promise.all(runs.map((run) => carryOut(run, 'old')))).flat();
    expect(right.flatMap(({ clusters }) => clusters).sort()).toEqual(Object.keys(CLUSTERS).sort());
    expect(right.flatMap(({ differences }) => differences)).toEqual([]);
    const wrong = (await Promise.all(runs.map((run) => carryOut(run, 'forgotten')))).flat();
    expect(wrong.flatMap(({ differences }) => differences)).toHaveLength(Object.keys(CLUSTERS).length);
  });

  test.each(RINGS)('a promotion of the ring %s moves only its branch', async (ring) => {
    const old = git('rev-parse', 'main');
    pushOutput('new', ['main']);
    const runs = runsOf('promote', ring);
    expect(runs).toHaveLength(1);
    for (const run of runs) await carryOut(run, 'new');
    for (const other of RINGS) {
      const [id] = git('ls-remote', 'origin', `refs/heads/ring/${other}`).split('\t');
      expect(id).toBe(other === ring ? git('rev-parse', 'main') : old);
    }
  });
});

test('the workflows can promote the rings with a branch, and no others', () => {
  expect(read('github-fleet.yml').on.workflow_dispatch.inputs.ring.options).toEqual(RINGS);
  expect(read('gitlab-fleet.yml').promote.parallel.matrix).toEqual(
    RINGS.map((RING) => expect.objectContaining({ RING })),
  );
});

test.each(readdirSync(CI))('%s compiles the program before it checks the output', (name) => {
  const text = readFileSync(join(CI, name), 'utf8');
  expect(text).toMatch(/npx tsc --noEmit\n.*npx tsx main\.ts --check/);
});

test('inputs of a workflow are not expanded in scripts', () => {
  const { jobs } = read('github-fleet.yml');
  const scripts = Object.values<{ steps: { run?: string }[] }>(jobs).flatMap(({ steps }) =>
    steps.map(({ run = '' }) => run),
  );
  expect(scripts.filter((script) => /\$\{\{\s*(?:inputs|github)\./.test(script))).toEqual([]);
});
