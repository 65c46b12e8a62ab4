import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, '.github', 'workflows');
const SCRIPTS = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts as Readonly<
  Record<string, string>
>;

type Permissions = Readonly<Record<string, string>> | string;

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Permissions;
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly 'timeout-minutes'?: number;
  readonly 'runs-on'?: string;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Jobs with further permissions than reading this repository. */
const GRANTS: Readonly<Record<string, Permissions>> = {
  'release.yml image': { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
  'release.yml package': { contents: 'read', 'id-token': 'write' },
  'release.yml page': { contents: 'write' },
  'site.yml publish': { pages: 'write', 'id-token': 'write' },
};

const workflows = readdirSync(FOLDER).map(
  (file) => [file, parse(readFileSync(join(FOLDER, file), 'utf8'), { strict: true }) as Workflow] as const,
);
const jobs = workflows.flatMap(([file, workflow]) =>
  Object.entries(workflow.jobs).map(([name, job]) => [`${file} ${name}`, job] as const),
);
const steps = jobs.flatMap(([name, { steps = [] }]) =>
  steps.map((step, index) => [`${name}, ${step.name ?? step.uses ?? step.run ?? index}`, step] as const),
);
const scripts = steps.flatMap(([name, { run }]) => (run === undefined ? [] : [[name, run] as const]));

describe('the workflows', () => {
  test('exist', () => {
    expect(workflows.map(([file]) => file)).toEqual(expect.arrayContaining(['ci.yml', 'release.yml']));
    expect(scripts.length).toBeGreaterThan(10);
  });

  test('have read permission only, and each job the further permissions in GRANTS', () => {
    for (const [file, { permissions }] of workflows) expect([file, permissions]).toEqual([file, { contents: 'read' }]);
    const granted = jobs.flatMap(([name, { permissions }]) => (permissions === undefined ? [] : [[name, permissions]]));
    expect(Object.fromEntries(granted)).toEqual(GRANTS);
  });

  test('run on no event that grants permissions to the code of a pull request, and use no secrets', () => {
    const events = workflows.flatMap(([file, { on }]) => Object.keys(on).map((event) => `${file} ${event}`));
    expect(events.filter((event) => /pull_request_target|workflow_run|issue/.test(event))).toEqual([]);
    const text = workflows.map(([file]) => readFileSync(join(FOLDER, file), 'utf8')).join('');
    expect(text.match(/\bsecrets\.\w+/g)).toBeNull();
  });

  test('use actions by a version or a commit, and only existing local ones', () => {
    const used = [...steps.map(([, { uses }]) => uses), ...jobs.map(([, { uses }]) => uses)];
    const named = used.filter((uses) => uses !== undefined);
    expect(named.length).toBeGreaterThan(10);
    expect(
      named.filter((uses) =>
        uses.startsWith('./')
          ? !existsSync(join(ROOT, uses))
          : !/^[\w-]+\/[\w./-]+@(?:v\d+(?:\.\d+)*|[0-9a-f]{40})$/.test(uses),
      ),
    ).toEqual([]);
  });

  test('set a timeout for each job', () => {
    const endless = jobs.filter(([, job]) => job.uses === undefined && job['timeout-minutes'] === undefined);
    expect(endless.map(([name]) => name)).toEqual([]);
  });

  test.each(scripts)('run %s as a Bash script that takes values only from its environment', (_, run) => {
    // Bash would execute a value that is expanded into the text of a script.
    expect(run).not.toContain('${{');
    expect(spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' }).stderr).toBe('');
  });

  test('run only existing scripts of package.json and existing files', () => {
    const names = scripts.flatMap(([, run]) =>
      [...run.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => name === undefined || SCRIPTS[name] === undefined)).toEqual([]);
    const files = scripts.flatMap(([, run]) =>
      [...run.matchAll(/(?:\bbash |-f |\btsx )([\w./-]+)/g)].map(([, file = '']) => file),
    );
    expect(files).toContain('.ci/run');
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('leave no credentials to later steps of a job with permissions', () => {
    const checkouts = jobs
      .filter(([name]) => GRANTS[name] !== undefined)
      .flatMap(([, { steps = [] }]) => steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')));
    // The job that publishes the site has no checkout: it publishes an artifact of another job.
    expect(checkouts).toHaveLength(Object.keys(GRANTS).length - 1);
    for (const { with: options } of checkouts) expect(options).toMatchObject({ 'persist-credentials': false });
  });
});
