import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { contextsInFleet } from '../lib/constructs/fleet/fleet-contexts';
import { printableText } from '../lib/kubernetes/findings/printable-text';
import { describeProblem } from '../lib/kubernetes/findings/problem';
import { parseGoDuration } from '../lib/kubernetes/go-duration';
import { suggestion } from '../lib/kubernetes/suggest';
import type { Output } from '../lib/review/compare/output';
import { type ComparedFolder, comparedFolders, driftFindings, type FolderDrift } from '../lib/review/status/drift';
import { statusFinding, timeText } from '../lib/review/status/finding';
import { STATUS_FINDINGS } from '../lib/review/status/findings';
import { renderStatus } from '../lib/review/status/formats/render';
import { isOpen } from '../lib/review/status/gate';
import { type ClusterIntent, type FleetIntent, fleetIntent } from '../lib/review/status/intent';
import type { ObservedApplication } from '../lib/review/status/observation';
import { type NextPromotion, nextPromotion } from '../lib/review/status/promotion';
import {
  applicationsUnread,
  type ClusterStatus,
  clusterStatus,
  clusterWithoutContext,
  type FleetStatus,
  fleetStatus,
  isHealthy,
} from '../lib/review/status/status';
import { outputInFolder } from './folder-output';
import { DIFF, diffFiles, kubeContexts, NoKubectl } from './kubectl';
import { observeApplications, observeCluster, type ReadOptions } from './observe-cluster';
import type { StatusOptions } from './status-options';
import { EXIT, Misuse, type Terminal } from './terminal';

/** Prints the state of live clusters, compared with an output. */
export async function status(options: StatusOptions, terminal: Terminal): Promise<number> {
  const { ring, promote } = options;
  if (promote && ring === undefined) throw new Misuse('--promote needs --ring');
  const { intent, output } = intentIn(options.from);
  const clusters = chosenClusters(intent, options);
  const contexts = contextsOf(intent, options, terminal);
  const found = await withKubectl(() => readUntilHealthy({ intent, output, clusters, contexts }, options, terminal));
  write(printableText(renderStatus(found, options.format)), options, terminal);
  if (!isFine(found, options)) return EXIT.refused;
  return promote && ring !== undefined
    ? printPromotion(nextPromotion(intent, ring, found.clusters), options, terminal)
    : EXIT.done;
}

/** Whether there are no errors; for a gate, and where Applications are all that is read, nothing may be unknown. */
function isFine(found: FleetStatus, { wait, through }: StatusOptions): boolean {
  return wait === undefined && through === undefined ? [...found.clusters, found].every(isHealthy) : isOpen(found);
}

/** Prints the command, after a text on standard output, and otherwise beside the status. */
function printPromotion(
  promotion: NextPromotion,
  { format, out }: StatusOptions,
  { stdout, stderr }: Terminal,
): number {
  if ('refused' in promotion) {
    stderr.write(printableText(`nothing to promote: ${promotion.refused}\n`));
    return EXIT.refused;
  }
  const stream = format === 'text' || out !== '-' ? stdout : stderr;
  stream.write(printableText(`\nTo promote to ${promotion.ring}:\n\n  ${promotion.command}\n`));
  return EXIT.done;
}

/** The time between two reads of a fleet. */
const PAUSE_MS = 15_000;

/** Reads the clusters, with --wait again and again until they are healthy for long enough, or the time is over. */
async function readUntilHealthy(fleet: Fleet, options: StatusOptions, { stderr }: Terminal): Promise<FleetStatus> {
  if (options.wait === undefined) return readFleet(fleet, options);
  const deadline = Date.now() + durationOf('--wait', options.wait);
  const soak = options.soak ?? longestSoak(fleet.clusters) ?? '0s';
  const soakMs = soak === '0s' ? 0 : durationOf('--soak', soak);
  let healthySince: number | undefined;
  for (;;) {
    const found = await readFleet(fleet, options);
    const now = Date.now();
    healthySince = isOpen(found) ? (healthySince ?? now) : undefined;
    const isOver = now + PAUSE_MS > deadline;
    if (healthySince !== undefined && now - healthySince >= soakMs) return found;
    if (isOver) return healthySince === undefined ? found : unsoaked(found, soak);
    const healthy = found.clusters.filter(isHealthy).length;
    stderr.write(`${timeText(now)}: ${healthy} of ${found.clusters.length} clusters without errors\n`);
    await sleep(PAUSE_MS);
  }
}

/** Returns the longest soak that the rings of some clusters ask for. */
function longestSoak(clusters: readonly ClusterIntent[]): string | undefined {
  const soaks = clusters.flatMap(({ ring }) => ring?.health?.soak ?? []);
  return soaks.toSorted((a, b) => (parseGoDuration(b) ?? 0) - (parseGoDuration(a) ?? 0))[0];
}

/** Returns the status with the finding that it has not been without errors for long enough. */
function unsoaked(found: FleetStatus, soak: string): FleetStatus {
  return { ...found, findings: [...found.findings, statusFinding(STATUS_FINDINGS.soakUnfinished({ soak }))] };
}

function intentIn(from: string): Pick<Fleet, 'intent' | 'output'> {
  const folder = resolve(from);
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    throw new Misuse(`--from ${from} is not a folder; synthesize first`);
  }
  const output = outputInFolder(folder);
  const intent = fleetIntent(output);
  if (intent.clusters.length === 0) {
    throw new Misuse(`--from ${from} contains no cluster: it is not the output of a Platform, or an empty one`);
  }
  return { intent, output };
}

function chosenClusters({ clusters }: FleetIntent, { ring, only }: StatusOptions): readonly ClusterIntent[] {
  const names = clusters.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Misuse(`--only ${unknown}: there is no such cluster${suggestion(unknown, names)}`);
  }
  const chosen = clusters.filter(
    (one) => (ring === undefined || one.ring?.name === ring) && (only?.includes(one.name) ?? true),
  );
  if (chosen.length === 0) throw new Misuse(`--ring ${ring}: the ring has no clusters`);
  return chosen;
}

/** The name of the file with contexts, if no option sets another one. */
const FLEET_FILE = 'fleet.yaml';

/** Returns the contexts of clusters: of options, or else of the fleet file. */
function contextsOf(
  { clusters }: FleetIntent,
  { context = [], fleet }: StatusOptions,
  { readFile }: Terminal,
): ReadonlyMap<string, string> {
  const names = clusters.map(({ name }) => name);
  const given = context.map((pair) => {
    const at = pair.indexOf('=');
    const [cluster, name] = [pair.slice(0, at), pair.slice(at + 1)];
    if (at < 1 || name === '') throw new Misuse(`--context ${pair}: write CLUSTER=CONTEXT`);
    if (!names.includes(cluster)) {
      throw new Misuse(`--context ${pair}: there is no cluster ${cluster}${suggestion(cluster, names)}`);
    }
    return [cluster, name] as const;
  });
  const file = fleet ?? (existsSync(FLEET_FILE) ? FLEET_FILE : undefined);
  return new Map([...(file === undefined ? [] : contextsInFile(file, readFile)), ...given]);
}

function contextsInFile(file: string, readFile: Terminal['readFile']): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    throw new Misuse(`--fleet ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const found = contextsInFleet(text);
  if (found instanceof Map) return found;
  throw new Misuse(
    `--fleet ${file}: ${[...(found as readonly Parameters<typeof describeProblem>[0][])].map(describeProblem).join(' ')}`,
  );
}

/** The clusters to read, and how to reach them. */
interface Fleet {
  readonly intent: FleetIntent;
  readonly output: Output;
  readonly clusters: readonly ClusterIntent[];
  readonly contexts: ReadonlyMap<string, string>;
}

async function readFleet({ intent, output, clusters, contexts }: Fleet, options: StatusOptions): Promise<FleetStatus> {
  const base = readOptions(options);
  const known = await kubeContexts(base);
  const contextOf = (cluster: string) => contexts.get(cluster) ?? cluster;
  const hub = options.argocdContext ?? (intent.hub === undefined ? undefined : contextOf(intent.hub));
  const applications = await applicationsOf(intent, hub, { known, base });
  const now = Date.now();
  const driftOf = async (name: string, context: string) => {
    const folders = comparedFolders(output.get(name) ?? new Map(), intent.ignored);
    const found = await compareFolders(folders, { ...base, context }, join(options.from, name));
    const command = (folder: string) =>
      `kubectl --context ${shellWord(context)} ${DIFF.join(' ')} -f ${shellWord(join(options.from, name, folder))}`;
    return driftFindings(found, command);
  };
  const read = async (cluster: ClusterIntent): Promise<ClusterStatus> => {
    const context = contextOf(cluster.name);
    const common = {
      intent: cluster,
      kubectl: `kubectl --context ${shellWord(context)}`,
      ...(typeof applications !== 'string' && { applications }),
      ...(options.commit !== undefined && { commit: options.commit }),
    };
    if (options.through === 'argocd') return clusterStatus({ ...common, now });
    if (!known.has(context)) return clusterWithoutContext(cluster, context);
    const seen = await observeCluster({ ...base, context }, cluster);
    const drift = options.drift && seen.unreachable === undefined && (await driftOf(cluster.name, context));
    return clusterStatus({ ...common, seen, ...(drift && { drift }), now: Date.now() });
  };
  const statuses = await mapAtOnce(clusters, options.atOnce, read);
  const findings = typeof applications === 'string' ? [applicationsUnread(applications)] : [];
  return fleetStatus(statuses, { intent, findings, now });
}

/** Compares the objects of folders with a cluster, one folder after the other. */
async function compareFolders(
  folders: readonly ComparedFolder[],
  options: ReadOptions,
  place: string,
): Promise<readonly FolderDrift[]> {
  const found: FolderDrift[] = [];
  for (const { folder, files } of folders) {
    const paths = files.map((path) => join(place, path));
    const answer = await diffFiles(
      { context: options.context, files: paths },
      { ...options, requestTimeoutMs: options.timeoutMs },
    );
    found.push(answer.ok ? { folder, lines: answer.text } : { folder, failure: answer.reason });
  }
  return found;
}

/** Reads the Applications of all clusters, or returns the reason why not. */
async function applicationsOf(
  { argocdNamespace = 'argocd' }: FleetIntent,
  hub: string | undefined,
  { known, base }: { readonly known: ReadonlySet<string>; readonly base: Omit<ReadOptions, 'context'> },
): Promise<readonly ObservedApplication[] | string> {
  if (hub === undefined) return 'the output does not say in which cluster Argo CD runs';
  if (!known.has(hub)) return `the kubeconfig has no context ${hub}`;
  return observeApplications({ ...base, context: hub }, argocdNamespace);
}

/** The longest time of one request. */
const REQUEST_MS = 20_000;

function readOptions({ timeout, maxPages, kubectl }: StatusOptions): Omit<ReadOptions, 'context'> {
  const timeoutMs = durationOf('--timeout', timeout);
  return { program: kubectl, requestTimeoutMs: Math.min(timeoutMs, REQUEST_MS), timeoutMs, maxPages };
}

function durationOf(option: string, text: string): number {
  const time = parseGoDuration(text);
  if (time !== undefined && time > 0) return time;
  throw new Misuse(`${option} ${text} is not a duration, such as 90s or 30m`);
}

/** Calls a function for all items, for some of them at once, and returns the results in order. */
async function mapAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await act(items[index] as T);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

async function withKubectl<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof NoKubectl)
      throw new Misuse(`kubectl cannot be run (${error.message}): install it, or set --kubectl`);
    throw error;
  }
}

/** Quotes a word for a shell if it needs quotes. */
function shellWord(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function write(text: string, { out }: StatusOptions, { stdout }: Terminal): void {
  if (out === '-') {
    stdout.write(text);
    return;
  }
  try {
    writeFileSync(out, text);
  } catch (error) {
    throw new Misuse(`--out ${out} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
