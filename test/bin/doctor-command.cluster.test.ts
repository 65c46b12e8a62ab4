import { readFileSync, writeFileSync } from 'node:fs';
import { outputInFolder } from '#bin/folder-output';
import type { Answer } from '#bin/kubectl';
import { observeForDoctor, openReader } from '#bin/observe-cluster';
import { type DoctorReport, doctorReport } from '#lib/review/doctor/doctor';
import { doctorJson } from '#lib/review/doctor/formats/json';
import { doctorText } from '#lib/review/doctor/formats/text';
import type { Symptom } from '#lib/review/doctor/symptom';
import { DOCTOR_LISTS, readingRules } from '#lib/review/live/observation';
import { fleetIntent } from '#lib/review/status/intent';
import { ref } from '../support/cluster/objects';
import { ApiError } from '../support/cluster/rest';
import { type BreakableMesh, startBreakableMesh } from '../support/doctor/breakable-mesh';
import { refused, WAYS_TO_BREAK } from '../support/doctor/ways-to-break';
import { goTool } from '../support/go-tools';
import { type Outcome, runInMemory } from './fake-terminal';

const program = goTool('kubectl');
const before = process.env.KUBECONFIG;

let mesh: BreakableMesh;

beforeAll(async () => {
  mesh = await startBreakableMesh();
  process.env.KUBECONFIG = kubeconfig();
}, 300_000);

afterAll(async () => {
  if (before === undefined) delete process.env.KUBECONFIG;
  else process.env.KUBECONFIG = before;
  await mesh?.stop();
});

/**
 * A kubeconfig with contexts of an administrator, of a user who may list pods and namespaces, and of a user without
 * permissions.
 */
function kubeconfig(): string {
  const path = mesh.cluster.kubeconfig();
  const config = JSON.parse(readFileSync(path, 'utf8'));
  const viewer = JSON.parse(readFileSync(mesh.cluster.kubeconfig({ user: 'viewer' }), 'utf8'));
  config.users.push({ ...viewer.users[0], name: 'viewer' });
  const reader = JSON.parse(readFileSync(mesh.cluster.kubeconfig({ user: 'reader', groups: [] }), 'utf8'));
  config.users.push({ ...reader.users[0], name: 'reader' });
  config.clusters.push({ name: 'gone', cluster: { server: 'https://127.0.0.1:1' } });
  config.contexts = [
    ['home', 'test', 'test'],
    ['viewer', 'test', 'viewer'],
    ['reader', 'test', 'reader'],
    ['lost', 'nowhere', 'test'],
    ['gone', 'gone', 'test'],
  ].map(([name, cluster, user]) => ({ name, context: { cluster, user } }));
  config['current-context'] = 'home';
  writeFileSync(path, JSON.stringify(config));
  return path;
}

function doctor(...args: readonly string[]): Promise<Outcome> {
  return runInMemory(['doctor', '--kubectl', program, '--from', mesh.dist, ...args]);
}

interface FindingData {
  readonly code: string;
  readonly what: string;
  readonly since?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface DoctorData {
  readonly causes: readonly (FindingData & {
    readonly chain: readonly FindingData[];
    readonly alsoCaused: readonly FindingData[];
    readonly unread: readonly string[];
  })[];
  readonly others: readonly FindingData[];
  readonly read: Readonly<Record<string, number>>;
}

async function dataOf(...args: readonly string[]): Promise<{ readonly code: number } & DoctorData> {
  const { code, stdout, stderr } = await doctor('--format', 'json', ...args);
  expect(stderr).toBe('');
  return { code, ...(JSON.parse(stdout) as DoctorData) };
}

test('doctor finds no cause in a healthy mesh, and sends only GET requests, none for Secrets', async () => {
  const { code, stdout } = await doctor();
  expect(stdout).toMatch(/^No problem was found .*, 3 nodes, /);
  expect(code).toBe(0);
  const events = mesh.cluster.auditEvents().filter(({ userAgent = '' }) => userAgent.startsWith('kubectl'));
  expect(events.length).toBeGreaterThan(20);
  expect(new Set(events.map(({ verb }) => verb))).toEqual(new Set(['get', 'list']));
  expect(events.filter(({ objectRef }) => objectRef?.resource === 'secrets')).toEqual([]);
});

test('doctor reports lists that its user must not read, and finds the mesh by other lists', async () => {
  await mesh.cluster.applyAll([
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'view-pods' },
      rules: [{ apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['get', 'list'] }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'view-pods' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view-pods' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
    },
  ]);
  const { code, causes, others } = await dataOf('--context', 'viewer');
  expect(causes).toEqual([]);
  expect(others.map((one) => one.code)).toEqual(['list-unread']);
  expect(others[0]?.parameters).toEqual({ resources: expect.stringContaining('nodes, deployments and daemonsets') });
  expect(code).toBe(0);
});

test('doctor works with the ClusterRole of the guide, and prints no terminal or workflow commands', async () => {
  const bound = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'doctor' } };
  const event = {
    ...ref('v1', 'Event', 'odd', 'shop'),
    involvedObject: { kind: 'CloneSet', namespace: 'shop', name: 'odd' },
    reason: 'FailedCreate',
    message: 'a\u001b[2J\n::error::x ##[add-mask]y <b> ##vso[task.complete]',
    type: 'Warning',
    lastTimestamp: new Date().toISOString(),
  };
  await mesh.cluster.applyAll([
    { ...bound, rules: readingRules(DOCTOR_LISTS) },
    {
      ...bound,
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'doctor' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
    },
    event,
  ]);
  const [text, data] = await Promise.all([
    doctor('--context', 'reader'),
    dataOf('--context', 'reader', '--cluster', 'home', '--argocd-context', 'nowhere'),
  ]);
  await mesh.cluster.delete(event);
  expect(text.stdout).toMatch(
    /^error \[pods-refused\] The API server refuses pods of CloneSet shop\/odd: a\\u001b\[2J ::error/,
  );
  expect(text.stdout).not.toMatch(/##|^\s*::/m);
  expect(text.stdout).not.toContain('\u001b');
  expect(data.others.map((one) => one.code)).toEqual(['applications-unread']);
  // The Lease of the API server exists: doctor uses its clock.
  expect(data.read.leases).toBeGreaterThan(0);
});

test('doctor reports a cluster that does not answer as the cause', async () => {
  const { code, causes } = await dataOf('--context', 'gone', '--timeout', '20s');
  expect(causes.map((one) => one.code)).toEqual(['cluster-unreachable']);
  expect(code).toBe(1);
});

test.each([
  ['a pod is unknown', ['shop/nothing'], 'no pod or workload of this name'],
  ['a symptom has no namespace', ['/web'], 'name a namespace'],
  ['a context is unknown', ['--context', 'hom'], 'did you mean "home"?'],
  ['a cluster is unknown', ['--cluster', 'hom'], 'did you mean "home"?'],
  ['a context has no cluster', ['--context', 'lost'], 'has no cluster for this context'],
  [
    'the Applications have no cluster',
    ['--context', 'viewer', '--argocd-context', 'home'],
    '--argocd-context needs an output with the cluster',
  ],
  ['there is no output', ['--from', 'nowhere'], 'is not a folder'],
  ['a duration is invalid', ['--timeout', 'soon'], 'is not a duration'],
  ['kubectl is missing', ['--kubectl', '/nowhere/kubectl'], 'kubectl cannot be run'],
])('doctor reports the problem and exits with 2: %s', async (_when, args, message) => {
  const { code, stdout, stderr } = await doctor(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});

/** Reads the cluster like the command, but without a kubectl process for each request. */
async function reportOf(symptom?: Symptom): Promise<DoctorReport> {
  const get = async (path: string): Promise<Answer> => {
    try {
      return { ok: true, text: JSON.stringify(await mesh.cluster.request({ method: 'GET', path })) };
    } catch (error) {
      if (error instanceof ApiError && error.code === 404)
        return { ok: false, status: 'NotFound', reason: 'not found' };
      throw error;
    }
  };
  const output = fleetIntent(outputInFolder(mesh.dist)).clusters[0];
  const report = doctorReport({
    seen: await observeForDoctor(await openReader(get, 100)),
    now: Date.now(),
    kubectl: 'kubectl',
    ...(output && { output }),
    ...(symptom && { symptom }),
  });
  if (report === undefined) throw new Error('The cluster has nothing of that name.');
  return report;
}

describe('doctor prints the cause first', () => {
  afterEach(() => mesh.restore(), 120_000);

  test.each(WAYS_TO_BREAK.map((way) => [way.title, way] as const))(
    'when %s',
    async (_title, { breakIt, code, parameters, chain }) => {
      await breakIt(mesh);
      // Controllers report the consequences one after the other.
      await mesh.cluster.eventually(async () => {
        const report = await reportOf();
        const { causes }: DoctorData = JSON.parse(doctorJson(report));
        const [first] = causes;
        expect({ code: first?.code, parameters: first?.parameters }).toEqual({
          code,
          parameters: expect.objectContaining(parameters),
        });
        expect(first?.chain.map((one) => one.code)).toEqual(expect.arrayContaining([...chain]));
        expect(doctorText(report).split('\n')[0]).toContain(`[${code}] ${first?.what}`);
      });
    },
    120_000,
  );
});

describe('doctor, for a symptom,', () => {
  afterEach(() => mesh.restore(), 120_000);

  const codesFor = async (symptom: Symptom) =>
    [...(await reportOf(symptom)).causes.map(({ cause }) => cause), ...(await reportOf(symptom)).others].map(
      ({ problem }) => problem.code,
    );

  test('reports no cause for healthy pods, although cert-manager is down', async () => {
    await mesh.change(ref('apps/v1', 'Deployment', 'cert-manager', 'cert-manager'), { spec: { replicas: 0 } });
    expect(await codesFor({ namespace: 'shop', name: 'web' })).toEqual(['pods-unexplained']);
    expect(await codesFor({ namespace: 'shop' })).toEqual(['pods-unexplained']);
  });

  test('prints why the API server refuses the pods', async () => {
    await mesh.remove(ref('v1', 'Service', 'linkerd-proxy-injector', 'linkerd'));
    await mesh.change(ref('apps/v1', 'Deployment', 'cert-manager', 'cert-manager'), { spec: { replicas: 0 } });
    await mesh.restart('web', 'shop');
    await refused(mesh, ref('apps/v1', 'Deployment', 'web', 'shop'));
    expect(await codesFor({ namespace: 'shop', name: 'web' })).toEqual(['webhook-unreachable']);
    const { code, stdout } = await doctor('shop/web');
    expect(stdout).toMatch(/^error \[webhook-unreachable\]/);
    expect(code).toBe(1);
  });
});
