/**
 * How fast the operator attaches and detaches 500 namespaces, and answers for pods; with a real API server, all on this
 * machine. Beside it: linkerd-multus-attach-operator, as measured on two cores in November 2026, and, with its binary,
 * measured in the same run.
 *
 *   npx tsx bench/operator.ts [--against PATH]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { POD_WEBHOOK_PATH } from '../operator/api/webhooks/pod';
import { type Cluster, type OwnCluster, startCluster } from '../test/cluster/cluster';
import { customResourceDefinition } from '../test/cluster/crds';
import { createRunDirectory, removeRunDirectory } from '../test/cluster/run-directory';
import { annotate, cniConfigMap } from '../test/support/operator/network-fixture';
import type { OperatorInstallation } from '../test/support/operator/operator-installation';
import { installation, type Operator, ourOperator, type RunningOperator, seedOperator } from './operators';
import { podReview } from './pod-review';
import { processUsage } from './process-usage';
import type { Load, LoadResult } from './webhook-load';

const NAMESPACES = Array.from({ length: 500 }, (_, index) => `bench-${index}`);
const WRITERS = 16;
const CONNECTIONS = 8;
const WARM_UP_MS = 3_000;
const MEASURE_MS = 10_000;
const SETTLE_MS = 5_000;
const POLL_MS = 50;

const ATTACH = { 'linkerd.io/multus': 'enabled', 'linkerd.io/inject': 'enabled' };
const DETACH = { 'linkerd.io/multus': null };

/** What is measured: what it is called, and what linkerd-multus-attach-operator was measured to do. */
const ROWS = {
  attachSeconds: { what: 'attach 500 namespaces, s', seed: 23.7, digits: 2 },
  detachSeconds: { what: 'detach 500 namespaces, s', seed: 24.9, digits: 2 },
  startSeconds: { what: 'start beside 500 namespaces that attach, s', seed: undefined, digits: 2 },
  requestsPerSecond: { what: 'webhook, requests/s', seed: 3981, digits: 0 },
  p50Ms: { what: 'webhook, p50, ms', seed: 1.58, digits: 2 },
  p99Ms: { what: 'webhook, p99, ms', seed: 7.5, digits: 2 },
  cpuMsPerRequest: { what: 'webhook, CPU per request, ms', seed: 0.33, digits: 3 },
  idleMiB: { what: 'RSS idle, MiB', seed: 36, digits: 0 },
  afterMiB: { what: 'RSS after, MiB', seed: 48, digits: 0 },
} as const;

type Measurements = Readonly<Record<keyof typeof ROWS, number>>;

async function forEachNamespace(act: (name: string) => Promise<unknown>): Promise<void> {
  const rest = [...NAMESPACES];
  const write = async (): Promise<void> => {
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) await act(name);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** How many networks there are, asked in such a way that it costs next to nothing. */
async function countNetworks(cluster: Cluster): Promise<number> {
  const path = '/apis/k8s.cni.cncf.io/v1/network-attachment-definitions';
  const list = await cluster.request({ method: 'GET', path, query: { limit: '1' } });
  const { items, metadata } = list as { items: readonly unknown[]; metadata: { remainingItemCount?: number } };
  return items.length + (metadata.remainingItemCount ?? 0);
}

/** Seconds until there are so many networks. */
async function secondsUntil(cluster: Cluster, count: number, act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  while ((await countNetworks(cluster)) !== count) await pause(POLL_MS);
  return (performance.now() - start) / 1_000;
}

async function measure(operator: Operator, cluster: Cluster, { ca }: OperatorInstallation): Promise<Measurements> {
  const annotateAll = (annotations: Readonly<Record<string, string | null>>) =>
    forEachNamespace((name) => annotate(cluster, name, annotations));
  let running = await operator.start();
  // That of the control plane is always there.
  const none = 1;
  await secondsUntil(cluster, none, () => annotateAll(DETACH));
  const all = none + NAMESPACES.length;
  const attachSeconds = await secondsUntil(cluster, all, () => annotateAll(ATTACH));
  const detachSeconds = await secondsUntil(cluster, none, () => annotateAll(DETACH));
  await running.stop();

  await annotateAll(ATTACH);
  const startSeconds = await secondsUntil(cluster, all, async () => {
    running = await operator.start();
  });
  await pause(SETTLE_MS);
  const idleMiB = processUsage(running.pid).rssMiB;
  const webhook = await measureWebhook(running, ca.cert);
  const afterMiB = processUsage(running.pid).rssMiB;
  await running.stop();
  return { attachSeconds, detachSeconds, startSeconds, idleMiB, afterMiB, ...webhook };
}

type WebhookMeasurements = Pick<Measurements, 'requestsPerSecond' | 'p50Ms' | 'p99Ms' | 'cpuMsPerRequest'>;

async function measureWebhook({ pid, webhookPort }: RunningOperator, ca: string): Promise<WebhookMeasurements> {
  const load: Load = {
    port: webhookPort,
    ca,
    path: POD_WEBHOOK_PATH,
    body: podReview(NAMESPACES[0] ?? ''),
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    measureMs: MEASURE_MS,
  };
  const args = [...process.execArgv, join(__dirname, 'webhook-load.ts'), JSON.stringify(load)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let before = Number.NaN;
  let result: LoadResult | undefined;
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    if (line === 'measuring') before = processUsage(pid).cpuMs;
    else result = JSON.parse(line);
  }
  const cpuMs = processUsage(pid).cpuMs - before;
  await ended;
  if (result === undefined) throw new Error('the load came to nothing');
  const { requests, seconds, p50Ms, p99Ms } = result;
  return { requestsPerSecond: requests / seconds, p50Ms, p99Ms, cpuMsPerRequest: cpuMs / requests };
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function prepare(cluster: Cluster): Promise<OperatorInstallation> {
  await cluster.apply(customResourceDefinition('k8s.cni.cncf.io', 'NetworkAttachmentDefinition'));
  const installed = await installation(cluster);
  await cluster.apply(cniConfigMap(installed.cniNamespace, { 'proxy-uid': 2102 }));
  await forEachNamespace((name) => cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  return installed;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { against: { type: 'string' } } });
  createRunDirectory();
  let cluster: OwnCluster | undefined;
  try {
    cluster = await startCluster();
    const installed = await prepare(cluster);
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
