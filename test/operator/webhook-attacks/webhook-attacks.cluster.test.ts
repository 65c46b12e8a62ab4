import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEASE_NAME } from '#operator/api/names';
import { POD_WEBHOOK_PATH } from '#operator/api/webhooks/pod';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { customResourceDefinition } from '../../support/cluster/crds';
import { podReview, WebhookClient } from '../../support/controller-runtime/webhook-client';
import { cniConfigMap } from '../../support/operator/network-fixture';
import { type OperatorInstallation, startOperator } from '../../support/operator/operator-installation';
import type { OperatorProcess } from '../../support/operator/operator-process';
import { type Attack, attacks } from './attacks';

/** Two thirds of the memory limit of ReconcilerOperator. A leader also needs memory for workloads. */
const LIMIT_MIB = 256;
const LEADS = `leader_election_master_status{name="${LEASE_NAME}"}`;
const ELECTION = [
  '--leader-elect',
  '--leader-elect-lease-duration=6s',
  '--leader-elect-renew-deadline=5s',
  '--leader-elect-retry-period=200ms',
];

let cluster: Cluster;
let operator: OperatorInstallation & OperatorProcess;
let strangers: Readonly<Record<string, Attack>>;

beforeAll(async () => {
  cluster = await sharedCluster();
  await cluster.apply(customResourceDefinition('k8s.cni.cncf.io', 'NetworkAttachmentDefinition'));
  const cniNamespace = await cluster.namespace('cni');
  await cluster.apply(cniConfigMap(cniNamespace));
  // Half of the memory, which is Node's default in a container of this size.
  const env = { NODE_OPTIONS: `--max-old-space-size=${LIMIT_MIB / 2}` };
  operator = await startOperator(cluster, { cniNamespace, webhooks: true, args: ELECTION, env });
  await cluster.eventually(async () => expect(await operator.metric(LEADS)).toBe(1));
  strangers = attacks(operator.linkerdNamespace);
});
afterAll(() => operator.stop());

/** The peak memory of the process. */
function peakMiB(): number {
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${operator.pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/** Sends reviews of pods one after another like an API server, until it is stopped. */
function apiServer(target: { port: number; ca: string }) {
  const client = new WebhookClient(target.port, { ca: target.ca, maxSockets: 1 });
  const body = podReview({ namespace: operator.linkerdNamespace });
  const results: { readonly code: number; readonly ms: number }[] = [];
  let isDone = false;
  const ask = async (): Promise<void> => {
    const start = performance.now();
    // Like Go's client, opens a new connection if the server closed this one in favor of another.
    const send = () => client.send({ path: POD_WEBHOOK_PATH, body });
    const code = await send()
      .catch(send)
      .then(
        (answer) => answer.code,
        () => 0,
      );
    results.push({ code, ms: performance.now() - start });
  };
  const asking = (async () => {
    while (!isDone) {
      await ask();
      await sleep(20);
    }
  })();
  return {
    end: async () => {
      isDone = true;
      await asking;
      client.close();
      return results;
    },
  };
}

test.each([
  'reviews with 380,000 keys',
  'reviews with as many keys as are parsed',
  'reviews with as many keys as are compared',
  'reviews over 64 connections',
  'trust anchors of 6.8 MB',
  'trust anchors of 4 MB',
  'log levels of 4 MB',
  'trust anchors as long as they may be',
  'reviews nested 100,000 deep',
  'many connections',
  'bodies sent byte by byte',
])('under %s, the operator answers for pods, keeps its lease, and bounds memory and log', async (name) => {
  const target = { port: operator.webhookPort ?? 0, ca: operator.ca.cert };
  const linesBefore = operator.logs().length;
  const server = apiServer(target);
  await sleep(200);
  await strangers[name]?.(target);
  await sleep(200);
  const results = await server.end();
  const lines = operator.logs().slice(linesBefore);
  // The timeout of the API server is three seconds.
  expect(results.filter(({ code, ms }) => code !== 200 || ms > 3_000)).toEqual([]);
  expect(peakMiB()).toBeLessThan(LIMIT_MIB);
  expect(lines.length).toBeLessThan(30);
  expect(await operator.metric(LEADS)).toBe(1);
  expect(operator.logs().filter(({ msg }) => msg.includes('lease could not'))).toEqual([]);
});
