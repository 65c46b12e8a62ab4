/**
 * Measures the operator's memory (RSS): in an empty cluster, with 500 namespaces that attach with Multus, after 50,000
 * reviews of pods, and half a minute later. Also measures the latency of the reviews. Each run starts its own control
 * plane. Programs take turns, because the load of a machine varies: compare numbers of one call only.
 *
 *   npx tsx bench/operator-memory.ts [--runs 3] [--program 'NAME=COMMAND']…
 *
 * Without `--program`, it measures this repository's operator with the command of its pods. COMMAND is split at spaces
 * and gets the operator's arguments: `--program 'ours' --program 'before=node /tmp/before/operator.cjs'`.
 */
import { parseArgs } from 'node:util';
import { POD_WEBHOOK_PATH } from '#operator/api/webhooks/pod';
import { startCluster } from '#test/support/cluster/cluster';
import { createRunDirectory, removeRunDirectory } from '#test/support/cluster/run-directory';
import {
  annotateAll,
  createNamespaces,
  NAMESPACES,
  networksCounted,
  OWN_NETWORKS,
  pause,
  prepare,
} from './attached-namespaces';
import { measureWebhook } from './measure-webhook';
import { podCommand } from './pod-command';
import { podReview } from './pod-review';
import { processUsage } from './process-usage';

const CONNECTIONS = 8;
const WARM_UP_REVIEWS = 10_000;
const REVIEWS = 40_000;
const SETTLE_MS = 10_000;
const CALM_MS = 30_000;

/** The measurements, in the order of the table. */
const COLUMNS = {
  idle: 'idle, MiB',
  namespaces: '+ 500 namespaces',
  reviews: '+ 50,000 reviews',
  calm: 'half a minute later',
  anonymous: 'of which anonymous',
  p50Ms: 'p50, ms',
  p99Ms: 'p99, ms',
  cpuMs: 'CPU per review, ms',
} as const;

type Column = keyof typeof COLUMNS;
type Measurements = Readonly<Record<Column, number>>;

/** A command line that starts an operator. */
interface Program {
  readonly name: string;
  readonly command: readonly string[];
}

async function measure({ command }: Program): Promise<Measurements> {
  const cluster = await startCluster();
  try {
    const installed = await prepare(cluster);
    const operator = await installed.start(['--leader-elect'], 'ready', command);
    const { pid } = operator;
    const rss = (): number => processUsage(pid).rssMiB;
    await networksCounted(cluster, OWN_NETWORKS);
    await pause(SETTLE_MS);
    const idle = rss();
    await createNamespaces(cluster);
    await annotateAll(cluster, 'enabled');
    await networksCounted(cluster, OWN_NETWORKS + NAMESPACES.length);
    await pause(SETTLE_MS);
    const namespaces = rss();
    const { p50Ms, p99Ms, cpuMsPerRequest } = await measureWebhook(pid, {
      port: operator.webhookPort ?? 0,
      ca: installed.ca.cert,
      path: POD_WEBHOOK_PATH,
      body: podReview(NAMESPACES[0] ?? ''),
      connections: CONNECTIONS,
      warmUp: { requests: WARM_UP_REVIEWS },
      measure: { requests: REVIEWS },
    });
    const reviews = rss();
    await pause(CALM_MS);
    const { rssMiB: calm, anonymousMiB: anonymous } = processUsage(pid);
    await operator.stop();
    return { idle, namespaces, reviews, calm, anonymous, p50Ms, p99Ms, cpuMs: cpuMsPerRequest };
  } finally {
    await cluster.stop();
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function row(name: string, measurements: readonly Measurements[]): Readonly<Record<string, string>> {
  const columns = (Object.keys(COLUMNS) as Column[]).map((column) => {
    const values = measurements.map((measured) => measured[column]);
    return [COLUMNS[column], median(values).toFixed(column.endsWith('Ms') ? 3 : 1)];
  });
  return { program: name, ...Object.fromEntries(columns) };
}

function programOf(text: string): Program {
  const [name = '', ...rest] = text.split('=');
  const command = rest
    .join('=')
    .split(' ')
    .filter((word) => word !== '');
  return { name, command: command.length === 0 ? podCommand() : command };
}

async function main(): Promise<void> {
  const options = { runs: { type: 'string', default: '3' }, program: { type: 'string', multiple: true } } as const;
  const { values } = parseArgs({ options });
  const programs = (values.program ?? ['ours']).map(programOf);
  const measured = new Map<string, Measurements[]>(programs.map(({ name }) => [name, []]));
  createRunDirectory();
  try {
    for (let run = 0; run < Number(values.runs); run += 1) {
      for (const program of programs) {
        const measurements = await measure(program);
        measured.get(program.name)?.push(measurements);
        console.log(JSON.stringify(row(program.name, [measurements])));
      }
    }
    console.log(`Medians of ${values.runs} runs:`);
    console.table([...measured].map(([name, measurements]) => row(name, measurements)));
  } finally {
    await removeRunDirectory();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
