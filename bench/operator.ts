/**
 * Measures how fast the operator attaches and detaches 500 namespaces and answers webhook requests, with a real API
 * server on this machine. Compares the figures with those of linkerd-multus-attach-operator: from November 2026 on two
 * cores and, if `--against` names its binary, from the same run.
 *
 *   npx tsx bench/operator.ts [--against PATH]
 */
import { parseArgs } from 'node:util';
import { POD_WEBHOOK_PATH } from '#operator/api/webhooks/pod';
import { type Cluster, type OwnCluster, startCluster } from '#test/support/cluster/cluster';
import { createRunDirectory, removeRunDirectory } from '#test/support/cluster/run-directory';
import type { OperatorInstallation } from '#test/support/operator/operator-installation';
import {
  annotateAll,
  createNamespaces,
  NAMESPACES,
  networksCounted,
  OWN_NETWORKS,
  pause,
  prepare,
} from './attached-namespaces';
import { measureWebhook, type WebhookMeasurements } from './measure-webhook';
import { type Operator, ourOperator, type RunningOperator, seedOperator } from './operators';
import { podReview } from './pod-review';
import { processUsage } from './process-usage';

const CONNECTIONS = 8;
const WARM_UP_MS = 3_000;
const MEASURE_MS = 10_000;
const SETTLE_MS = 5_000;

/** The measurements: labels, and the figures of linkerd-multus-attach-operator. */
const ROWS = {
  attachSeconds: { what: 'attach 500 namespaces, s', seed: 23.7, digits: 2 },
  detachSeconds: { what: 'detach 500 namespaces, s', seed: 24.9, digits: 2 },
  startSeconds: { what: 'start with 500 attached namespaces, s', seed: undefined, digits: 2 },
  requestsPerSecond: { what: 'webhook, requests/s', seed: 3981, digits: 0 },
  p50Ms: { what: 'webhook, p50, ms', seed: 1.58, digits: 2 },
  p99Ms: { what: 'webhook, p99, ms', seed: 7.5, digits: 2 },
  cpuMsPerRequest: { what: 'webhook, CPU per request, ms', seed: 0.33, digits: 3 },
  idleMiB: { what: 'RSS idle, MiB', seed: 36, digits: 0 },
  afterMiB: { what: 'RSS after, MiB', seed: 48, digits: 0 },
} as const;

type Measurements = Readonly<Record<keyof typeof ROWS, number>>;

/** Returns the seconds from `act` until the cluster has `count` networks. */
async function secondsUntil(cluster: Cluster, count: number, act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  await networksCounted(cluster, count);
  return (performance.now() - start) / 1_000;
}

async function measure(operator: Operator, cluster: Cluster, { ca }: OperatorInstallation): Promise<Measurements> {
  let running = await operator.start();
  const none = OWN_NETWORKS;
  const attach = () => annotateAll(cluster, 'enabled');
  const detach = () => annotateAll(cluster, null);
  await secondsUntil(cluster, none, detach);
  const all = none + NAMESPACES.length;
  const attachSeconds = await secondsUntil(cluster, all, attach);
  const detachSeconds = await secondsUntil(cluster, none, detach);
  await running.stop();

  await attach();
  const startSeconds = await secondsUntil(cluster, all, async () => {
    running = await operator.start();
  });
  await pause(SETTLE_MS);
  const idleMiB = processUsage(running.pid).rssMiB;
  const { requests, seconds, ...webhook } = await load(running, ca.cert);
  const afterMiB = processUsage(running.pid).rssMiB;
  await running.stop();
  return {
    attachSeconds,
    detachSeconds,
    startSeconds,
    idleMiB,
    afterMiB,
    requestsPerSecond: requests / seconds,
    ...webhook,
  };
}

function load({ pid, webhookPort }: RunningOperator, ca: string): Promise<WebhookMeasurements> {
  return measureWebhook(pid, {
    port: webhookPort,
    ca,
    path: POD_WEBHOOK_PATH,
    body: podReview(NAMESPACES[0] ?? ''),
    connections: CONNECTIONS,
    warmUp: { ms: WARM_UP_MS },
    measure: { ms: MEASURE_MS },
  });
}

function print(measured: ReadonlyMap<string, Measurements>): void {
  const keys = Object.keys(ROWS) as (keyof typeof ROWS)[];
  const table = keys.map((key) => {
    const { what, seed, digits } = ROWS[key];
    const columns = [...measured].map(([name, values]) => [name, values[key].toFixed(digits)]);
    return { what, ...Object.fromEntries(columns), 'Go, Nov 2026': seed ?? '' };
  });
  console.table(table);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { against: { type: 'string' } } });
  createRunDirectory();
  let cluster: OwnCluster | undefined;
  try {
    cluster = await startCluster();
    const installed = await prepare(cluster);
    await createNamespaces(cluster);
    const operators = [
      ourOperator(installed),
      ...(values.against === undefined ? [] : [seedOperator(values.against, cluster, installed)]),
    ];
    const measured = new Map<string, Measurements>();
    for (const operator of operators) measured.set(operator.name, await measure(operator, cluster, installed));
    print(measured);
  } finally {
    await cluster?.stop();
    await removeRunDirectory();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
