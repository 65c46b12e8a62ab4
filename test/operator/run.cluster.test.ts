import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, sharedCluster, startCluster } from '../support/cluster/cluster';
import { ref } from '../support/cluster/objects';
import { configDefinition } from '../support/operator/config-definition';
import { installOperator, type OperatorInstallation, startOperator } from '../support/operator/operator-installation';
import type { OperatorProcess } from '../support/operator/operator-process';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await sharedCluster();
});

const ROOT = join(__dirname, '..', '..');
const LEASE = 'linkerd-reconciler';
const LEADS = `leader_election_master_status{name="${LEASE}"}`;
const SHORT_LEASE = [
  '--leader-elect',
  '--leader-elect-lease-duration=3s',
  '--leader-elect-renew-deadline=2s',
  '--leader-elect-retry-period=200ms',
];
/** A lease that does not expire during a test. */
const LONG_LEASE = [
  '--leader-elect',
  '--leader-elect-lease-duration=1h',
  '--leader-elect-renew-deadline=30m',
  '--leader-elect-retry-period=200ms',
];

const leads = async (replica: OperatorProcess): Promise<boolean> => (await replica.metric(LEADS)) === 1;
const holderOf = async ({ namespace }: OperatorInstallation): Promise<string> =>
  (await cluster.get(ref('coordination.k8s.io/v1', 'Lease', LEASE, namespace))).spec.holderIdentity;

describe('a replica', () => {
  let operator: OperatorInstallation & OperatorProcess;
  beforeAll(async () => {
    operator = await startOperator(cluster, { webhooks: true });
  });
  afterAll(() => operator.stop());

  test('is live and ready', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await fetch(`${operator.healthUrl}${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  test('serves metrics with the names of controller-runtime, and metrics of its process', async () => {
    const text = await (await fetch(operator.metricsUrl)).text();
    const names = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name));
    const expected = [
      'controller_runtime_reconcile_total',
      'controller_runtime_reconcile_errors_total',
      'controller_runtime_reconcile_time_seconds',
      'controller_runtime_webhook_requests_total',
      'controller_runtime_webhook_latency_seconds',
      'workqueue_depth',
      'workqueue_adds_total',
      'workqueue_retries_total',
      'rest_client_requests_total',
      'leader_election_master_status',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ];
    expect(expected.filter((name) => !names.has(name))).toEqual([]);
    const { host } = new URL(cluster.server);
    const lists = await operator.metric(`rest_client_requests_total{code="200",method="GET",host="${host}"}`);
    expect(lists).toBeGreaterThan(0);
  });

  test('logs the ports on which it listens', () => {
    const servers = operator.logs().filter(({ msg }) => msg === 'listening');
    expect(servers.map(({ server }) => server).sort()).toEqual(['health', 'metrics', 'webhook']);
  });

  test('logs JSON objects only, and no errors', () => {
    const bad = operator.logs().filter(({ level }) => level === undefined || level === 'error');
    expect(bad).toEqual([]);
  });
});

describe('of two replicas,', () => {
  test('both are ready, one leads, and the other one leads after the leader is killed', async () => {
    const installation = await installOperator(cluster, { args: SHORT_LEASE });
    const [first, second] = [await installation.start(), await installation.start()];
    await cluster.eventually(async () => expect(await leads(first)).toBe(true));
    expect(await leads(second)).toBe(false);
    await first.kill('SIGKILL');
    await cluster.eventually(async () => expect(await leads(second)).toBe(true));
    await second.stop();
    expect(await holderOf(installation)).toBe('');
  });

  test('the other one leads at once after SIGTERM to the leader', async () => {
    const installation = await installOperator(cluster, { args: LONG_LEASE });
    const first = await installation.start();
    await cluster.eventually(async () => expect(await leads(first)).toBe(true));
    const second = await installation.start();
    await first.stop();
    await cluster.eventually(async () => expect(await leads(second)).toBe(true));
    await second.stop();
  });

  test('the leader exits when another process takes its lease', async () => {
    const installation = await installOperator(cluster, { args: LONG_LEASE });
    const leader = await installation.start();
    await cluster.eventually(async () => expect(await leads(leader)).toBe(true));
    const lease = ref('coordination.k8s.io/v1', 'Lease', LEASE, installation.namespace);
    await cluster.patch(lease, { spec: { holderIdentity: 'thief' } });
    expect(await leader.ended).toEqual({ code: 1, signal: null });
    expect(leader.logs()).toContainEqual(expect.objectContaining({ level: 'error', msg: 'lost the lease' }));
    expect(await holderOf(installation)).toBe('thief');
  });
});

/** The documented commands that run the operator outside of a cluster. */
const DOCUMENTED = [
  ...readFileSync(join(ROOT, 'docs/operator.md'), 'utf8').matchAll(/`((?:\w+=\w+ )?npm run -s operator -- run[^`]*)`/g),
]
  .map(([, command = '']) => command)
  .filter((command) => !command.includes('--help'));

describe('with its own API server,', () => {
  let own: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    own = await startCluster();
  });
  afterAll(() => own.stop());

  test('the documented commands run the operator outside of the cluster unchanged', async () => {
    expect(DOCUMENTED).not.toEqual([]);
    await own.apply(configDefinition());
    for (const command of DOCUMENTED) {
      const { HOME, PATH } = process.env;
      // The variables of a user's shell, and ports that no other test uses.
      const env = { HOME, PATH, KUBECONFIG: own.kubeconfig(), METRICS_PORT: '0', HEALTH_PORT: '0' };
      const child = spawn('sh', ['-c', `exec env ${command}`], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] });
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      const port = () => /"port":(\d+)[^\n]*"server":"health"|"server":"health"[^\n]*"port":(\d+)/.exec(log);
      await own
        .eventually(async () => {
          const [, before, after] = port() ?? [];
          const { status } = await fetch(`http://127.0.0.1:${before ?? after ?? 0}/readyz`);
          expect([command, status]).toEqual([command, 200]);
        })
        .finally(() => child.kill('SIGTERM'))
        .catch((error) => {
          throw new Error(`${command}\n${log}`, { cause: error });
        });
      await ended;
    }
  });

  test('the leader exits if the API server is away for longer than the lease, but not for a shorter time', async () => {
    const patient = await (await installOperator(own, { args: LONG_LEASE })).start();
    const leader = await (await installOperator(own, { args: SHORT_LEASE })).start();
    await own.eventually(async () => expect([await leads(patient), await leads(leader)]).toEqual([true, true]));
    await own.stopApiServer();
    expect(await leader.ended).toEqual({ code: 1, signal: null });
    // The replica is alive and still answers webhooks from its caches.
    expect((await fetch(`${patient.healthUrl}/readyz`)).status).toBe(200);
    await own.startApiServer();
    await patient.stop();
  });
});
