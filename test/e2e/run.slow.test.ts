import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyCluster, type OwnCluster } from '../support/cluster/cluster';
import { customResourceDefinitions } from '../support/cluster/crds';
import type { KubeObject } from '../support/cluster/objects';
import { goTool } from '../support/go-tools';
import { Kubectl } from './kubectl';
import type { Options } from './options';
import { RUN_LABEL } from './refusals';
import { runSteps } from './run';
import { type StepName, USUAL_STEPS } from './walk';

const KUBECTL = goTool('kubectl');

const ROOT = join(__dirname, '..', '..');

/** A cluster that runs no pods: an installation waits for a certificate that no cert-manager issues. */
let cluster: OwnCluster;
let folder: string;

beforeAll(async () => {
  cluster = await emptyCluster();
  folder = mkdtempSync(join(tmpdir(), 'e2e-'));
  writeChart('cert-manager', 'v1.21.1', definitionsOf('cert-manager.io', 'acme.cert-manager.io'));
  writeChart('trust-manager', 'v0.24.0', definitionsOf('trust.cert-manager.io'));
  writeChart('linkerd-crds', '2026.8.3', definitionsOf('linkerd.io', 'policy.linkerd.io', 'gateway.networking.k8s.io'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cluster?.stop();
});

function definitionsOf(...groups: readonly string[]): readonly KubeObject[] {
  return customResourceDefinitions().filter(({ spec }) => groups.includes(spec.group));
}

/** Writes a chart that contains only CRDs. */
function writeChart(name: string, version: string, definitions: readonly KubeObject[]): void {
  const chart = join(folder, name);
  mkdirSync(join(chart, 'crds'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: ${version}\n`);
  for (const definition of definitions) {
    writeFileSync(join(chart, 'crds', `${definition.metadata.name}.yaml`), JSON.stringify(definition));
  }
}

/** Writes a kubectl that runs this shell command in place of a verb. */
function kubectlAround(verb: string, command: string): string {
  const path = join(folder, `kubectl-${verb}-${randomBytes(4).toString('hex')}`);
  const script = `#!/bin/sh\nkubectl='${KUBECTL}'\ncase " $* " in *' ${verb} '*) ${command};; esac\nexec "$kubectl" "$@"\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly notes: string;
}

/** Starts a run, which `interrupt` ends. */
function begin(more: Partial<Options> = {}, kubeconfig = cluster.kubeconfig()) {
  const options: Options = {
    context: 'test',
    kubeconfig,
    kubectl: KUBECTL,
    charts: folder,
    existingCertManager: false,
    rate: 20,
    propagationSeconds: 120,
    steps: USUAL_STEPS,
    keep: false,
    timeoutMs: 10 * 60_000,
    format: 'json',
    ...more,
  };
  const interruption = new AbortController();
  const printed: string[] = [];
  const notes: string[] = [];
  const ended = runSteps(options, {
    print: (text) => printed.push(text),
    note: (text) => notes.push(text),
    interrupted: interruption.signal,
  }).then((code): Ended => ({ code, stdout: printed.join(''), notes: notes.join('\n') }));
  const interrupt = () => interruption.abort(new DOMException('interrupted', 'AbortError'));
  begun.push(async () => {
    interrupt();
    await ended.catch(() => undefined);
  });
  return { ended, interrupt };
}

/** Ends the runs that a failed test did not end. */
const begun: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of begun.splice(0)) await end();
});

const PATIENT = { timeoutMs: 240_000, intervalMs: 250 };

const named = (apiVersion: string, kind: string, name: string, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
});

/** All objects of a mesh or of a run. */
async function traces(): Promise<readonly string[]> {
  const kinds = [
    ['v1', 'Namespace'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
    ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'],
    ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'],
    ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'],
    ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding'],
  ] as const;
  const lists = await Promise.all(kinds.map(([apiVersion, kind]) => cluster.list(apiVersion, kind)));
  return lists
    .flat()
    .map(({ metadata }) => metadata.name ?? '')
    .filter((name) => /linkerd|cert-manager|gateway\.networking/.test(name));
}

test('a refused end-to-end run reports all reasons, and writes nothing', async () => {
  const theirs = named('v1', 'Namespace', 'linkerd');
  await cluster.apply(theirs);
  await cluster.apply(definitionsOf('policy.linkerd.io')[0] as KubeObject);
  const kubeconfig = cluster.kubeconfig({ user: 'e2e-refused', groups: ['system:masters'] });
  const { code, notes, stdout } = await begin({ charts: join(folder, 'nothing') }, kubeconfig).ended;

  expect([code, stdout]).toEqual([1, '']);
  expect(notes.match(/^ {2}- /gm)).toHaveLength(3);
  const verbs = cluster
    .auditEvents({ user: 'e2e-refused' })
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`);
  expect(verbs.length).toBeGreaterThan(3);
  // A SelfSubjectAccessReview is created, but not stored.
  const writes = verbs.filter((one) => !/^(?:get|list) |^create selfsubjectaccessreviews$/.test(one));
  expect(writes).toEqual([]);

  await cluster.delete(theirs);
  await cluster.delete(definitionsOf('policy.linkerd.io')[0] as KubeObject);
  await cluster.eventually(async () => expect(await traces()).toEqual([]), PATIENT);
});

test('commands of a page run in a folder until one fails, with the kubectl of the cluster', async () => {
  const target = { context: 'test', kubeconfig: cluster.kubeconfig(), program: KUBECTL };
  const ended = new Kubectl(target).shell(folder, 'kubectl get namespace default -o name > found\nfalse\nrm found');
  await expect(ended).rejects.toThrow(/ends with 1|failed/);
  expect(readFileSync(join(folder, 'found'), 'utf8')).toBe('namespace/default\n');
});

test('an end-to-end run requires the permissions of an administrator', async () => {
  const { code, notes } = await begin({}, cluster.kubeconfig({ user: 'reader', groups: [] })).ended.catch(
    (error: Error): Ended => ({ code: 1, stdout: '', notes: error.message }),
  );
  expect([code, /forbidden|may not do everything/i.test(notes)]).toEqual([1, true]);
  expect(await traces()).toEqual([]);
});

test('one of two concurrent end-to-end runs is refused, and does not affect the other', async () => {
  const runs = [begin(), begin()];
  const first = await Promise.race(runs.map(({ ended }) => ended));
  expect([first.code, first.notes]).toEqual([1, expect.stringMatching(/another run has begun|an earlier run left/)]);
  expect(await traces()).toContain('linkerd-e2e');
  for (const { interrupt } of runs) interrupt();
  const codes = (await Promise.all(runs.map(({ ended }) => ended))).map(({ code }) => code);
  expect(codes.sort()).toEqual([1, 130]);
  expect(await traces()).toEqual([]);
});

/** kubectl creates the namespace and exits three seconds later, or exits with an error. */
const HEARS_LATE = '"$kubectl" "$@"; code=$?; sleep 3; exit $code';
const NEVER_HEARS = '"$kubectl" "$@" >/dev/null; exit 1';

test.each<[string, KubeObject, string | undefined, readonly StepName[]]>([
  ['has its first namespace', named('v1', 'Namespace', 'linkerd-e2e'), HEARS_LATE, USUAL_STEPS],
  ['waits for certificates', named('apps/v1', 'Deployment', 'client', 'linkerd-e2e'), undefined, USUAL_STEPS],
  ['has a mesh of Helm', named('apps/v1', 'Deployment', 'client', 'linkerd-e2e'), undefined, ['helm-mesh', 'traffic']],
])('an end-to-end run that is interrupted when the cluster %s leaves no objects', async (_, mark, create, steps) => {
  const run = begin({ steps, ...(create !== undefined && { kubectl: kubectlAround('create', create) }) });
  await cluster.eventually(() => cluster.get(mark), PATIENT);
  run.interrupt();
  const { code, stdout, notes } = await run.ended;

  expect([code, notes]).toEqual([130, expect.stringContaining('nothing is left')]);
  const results: readonly { readonly step: string; readonly ok: boolean }[] = JSON.parse(stdout).steps;
  expect(results.map(({ step, ok }) => [step, ok])).toEqual([
    [steps[0], false],
    ['cleanup', true],
  ]);
  expect(await traces()).toEqual([]);
});

test('an end-to-end run that exceeds its time limit reports it, and leaves no objects', async () => {
  // The run owns the namespace, although it received no response.
  const { code, stdout } = await begin({ timeoutMs: 1, kubectl: kubectlAround('create', NEVER_HEARS) }).ended;
  const { steps } = JSON.parse(stdout);
  expect([code, steps[0].text, steps[1].ok]).toEqual([1, expect.stringMatching(/^not done in time/), true]);
  expect(await traces()).toEqual([]);
});

test('an end-to-end run lists and keeps objects that other programs created meanwhile', async () => {
  const run = begin();
  const stray = named('v1', 'ConfigMap', 'stray', 'default');
  await cluster.eventually(() => cluster.get(named('v1', 'Namespace', 'linkerd-e2e')), PATIENT);
  await cluster.apply(stray);
  run.interrupt();
  const { stdout } = await run.ended;

  const { steps } = JSON.parse(stdout);
  const text = expect.stringContaining('ConfigMap default/stray');
  expect(steps[1]).toMatchObject({ step: 'cleanup', ok: false, text });
  expect(await cluster.get(stray)).toBeDefined();
  expect(await traces()).toEqual([]);
  await cluster.delete(stray);
});

test('an end-to-end run refuses the objects that an earlier run kept, and --steps removal removes only these', async () => {
  const theirs = named('rbac.authorization.k8s.io/v1', 'ClusterRole', 'linkerd-of-others');
  await cluster.apply({ ...theirs, rules: [] });
  const run = begin({ keep: true });
  await cluster.eventually(() => cluster.get(named('v1', 'Namespace', 'linkerd-e2e')), PATIENT);
  run.interrupt();
  expect((await run.ended).code).toBe(130);
  expect((await traces()).length).toBeGreaterThan(1);

  const again = await begin().ended;
  expect([again.code, again.notes]).toEqual([1, expect.stringContaining('--steps removal')]);

  const { code, notes } = await begin({ steps: ['removal'] }).ended;
  expect([code, notes]).toEqual([0, expect.stringContaining('nothing is left')]);
  expect(await traces()).toEqual(['linkerd-of-others']);
  await cluster.delete(theirs);
});

test('--steps removal removes the remains of an interrupted run whose namespaces are gone', async () => {
  const run = begin({ keep: true });
  const definition = named('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'servers.policy.linkerd.io');
  await cluster.eventually(() => cluster.get(definition), PATIENT);
  run.interrupt();
  expect((await run.ended).code).toBe(130);
  const namespacesOfRun = async () =>
    (await cluster.list('v1', 'Namespace')).filter(({ metadata }) => metadata.labels?.[RUN_LABEL] !== undefined);
  for (const namespace of await namespacesOfRun()) await cluster.delete(namespace);
  await cluster.eventually(async () => expect(await namespacesOfRun()).toEqual([]), PATIENT);
  expect((await traces()).length).toBeGreaterThan(1);

  const again = await begin().ended;
  expect([again.code, again.notes]).toEqual([1, expect.stringContaining('--steps removal')]);

  const { code, notes } = await begin({ steps: ['removal'] }).ended;
  expect([code, notes]).toEqual([0, expect.stringContaining('nothing is left')]);
  expect(await traces()).toEqual([]);
});

test.each([
  ['Ctrl-C, which npm passes on', ['SIGINT', 'SIGINT']],
  ['the end of its terminal', ['SIGHUP']],
] as const)('after %s, an end-to-end run removes its objects, even if its output is closed', async (_, signals) => {
  const target = ['--context', 'test', '--kubeconfig', cluster.kubeconfig(), '--kubectl', KUBECTL];
  const program = spawn(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'test', 'e2e', 'main.ts'), ...target, '--charts', folder],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(program, 'exit');
  try {
    await cluster.eventually(() => cluster.get(named('v1', 'Namespace', 'linkerd-e2e')), PATIENT);
    program.stdout.destroy();
    program.stderr.destroy();
    for (const signal of signals) program.kill(signal);
    expect(await ended).toEqual([130, null]);
    expect(await traces()).toEqual([]);
  } finally {
    program.kill('SIGKILL');
  }
});
