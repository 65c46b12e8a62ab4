import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printableLine, printableText } from '#base/findings/printable-text';
import { shellWord } from '#base/shell-word';
import { didYouMean, suggest } from '#base/suggest';
import type { Output } from '#lib/review/compare/output';
import { type ComparedFolder, comparedFolders, driftFindings, type FolderDrift } from '#lib/review/status/drift';
import { timeText } from '#lib/review/status/finding';
import type { StatusFormat } from '#lib/review/status/formats/formats';
import { renderStatus } from '#lib/review/status/formats/render';
import { gateStep, isOpen } from '#lib/review/status/gate';
import { type ClusterIntent, type FleetIntent, faultsIn, fleetIntent, ringsByCluster } from '#lib/review/status/intent';
import { type NextPromotion, nextPromotion } from '#lib/review/status/promotion';
import type { ObservedArgoCd } from '#lib/review/status/rules/applications';
import {
  applicationsUnread,
  type ClusterStatus,
  clusterStatus,
  clusterWithoutContext,
  type FleetStatus,
  fleetStatus,
  isHealthy,
  withFindings,
} from '#lib/review/status/status';
import { mapAtOnce } from './at-once';
import { contextsInFile, durationOf, FLEET_FILE, readOptions, withKubectl } from './cluster-options';
import { folderFrom, outputInFolder } from './folder-output';
import { observedOutput, outputOfManifests } from './intended-output';
import { DIFF, diffFiles, filenameOf, type Kubeconfig, readKubeconfig } from './kubectl';
import { observeArgoCd, observeForStatus, type ReadOptions, readCluster } from './observe-cluster';
import { checkOutFile, writeOutFile } from './out-file';
import { type DeployedOutput, deployedOutputs } from './ring-outputs';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `status`. */
export interface StatusOptions {
  readonly from?: string;
  readonly ring?: string;
  readonly only?: readonly string[];
  readonly context?: readonly string[];
  readonly fleet?: string;
  readonly argocdContext?: string;
  readonly through?: 'argocd';
  readonly commit?: string;
  readonly format: StatusFormat;
  readonly out: string;
  readonly timeout: string;
  readonly atOnce: number;
  readonly maxPages: number;
  readonly kubectl: string;
  readonly wait?: string;
  readonly soak?: string;
  readonly promote?: true;
  readonly drift?: true;
}

/** Prints the state of live clusters, compared with an output. */
export async function status(options: StatusOptions, terminal: Terminal): Promise<number> {
  const { ring, promote } = options;
  checkGate(options);
  if (options.out !== '-') checkOutFile(options.out);
  const { intent, output, deployed } = await withKubectl(() => intentIn(options, terminal));
  const clusters = chosenClusters(intent, options);
  const contexts = contextsOf(intent, options, terminal);
  if (options.through === undefined) checkContexts(clusters, contexts);
  const found = await withKubectl(() =>
    readUntilHealthy({ intent, output, deployed, clusters, contexts }, options, terminal),
  );
  const text = printableText(renderStatus(found, options.format));
  if (options.out === '-') terminal.stdout.write(text);
  else writeOutFile(options.out, text);
  if (!isFine(found, options)) return EXIT.refused;
  return promote && ring !== undefined
    ? printPromotion(nextPromotion(intent, ring, found.clusters, options.commit), options, terminal)
    : EXIT.done;
}

/** Refuses a promotion without a gate for all clusters of the ring, because it promotes the whole ring. */
function checkGate({ ring, promote, wait, soak, only }: StatusOptions): void {
  if (soak !== undefined && wait === undefined) throw new Misuse('--soak needs --wait');
  if (!promote) return;
  if (ring === undefined) throw new Misuse('--promote needs --ring');
  if (wait === undefined) throw new Misuse('--promote needs --wait, which makes the command the gate of a promotion');
  if (only !== undefined) throw new Misuse('--promote needs all clusters of the ring: leave out --only');
}

/** Returns whether there are no errors. With --wait and --through, an unknown state is a failure, too. */
function isFine(found: FleetStatus, { wait, through }: StatusOptions): boolean {
  return wait === undefined && through === undefined ? [...found.clusters, found].every(isHealthy) : isOpen(found);
}

/** Prints the command to standard error if standard output has a status in another format than text. */
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
  stream.write(printableText(`\nTo promote to ${printableLine(promotion.ring)}:\n\n  ${promotion.command}\n`));
  return EXIT.done;
}

const PAUSE_MS = 15_000;

async function readUntilHealthy(fleet: Fleet, options: StatusOptions, { stderr }: Terminal): Promise<FleetStatus> {
  const base = readOptions(options);
  let known = await readKubeconfig(base);
  if (options.wait === undefined) return readFleet(fleet, options, known);
  const { waitMs, soak } = waitOf(options.wait, longestSoak(fleet.clusters, options));
  // The clock of the system may be changed meanwhile.
  const times = { deadline: performance.now() + waitMs, soak, pause: PAUSE_MS };
  let since: number | undefined;
  for (;;) {
    const found = await readFleet(fleet, options, known);
    const step = gateStep(found, { now: performance.now(), since }, times);
    if ('result' in step) return step.result;
    since = step.since;
    const healthy = found.clusters.filter(isHealthy).length;
    stderr.write(`${timeText(Date.now())}: ${healthy} of ${found.clusters.length} clusters without errors\n`);
    await sleep(PAUSE_MS);
    const earlier = known;
    // Another program may be writing the kubeconfig: an incomplete file must not end the gate.
    known = await readKubeconfig(base).catch(() => earlier);
  }
}

function waitOf(wait: string, soak: Soak): { readonly waitMs: number; readonly soak: Soak } {
  const waitMs = durationOf('--wait', wait);
  if (soak.ms === 0 || soak.ms + PAUSE_MS < waitMs) return { waitMs, soak };
  throw new Misuse(`--wait ${wait} is too short for ${soak.of} ${soak.text}: the clusters could never pass`);
}

interface Soak {
  readonly text: string;
  readonly ms: number;
  /** The option or the ring that sets the soak time. */
  readonly of: string;
}

/** Returns the soak time of the option, or else the longest one of the clusters' rings. */
function longestSoak(clusters: readonly ClusterIntent[], { soak }: StatusOptions): Soak {
  const soakOf = (of: string, text: string): Soak => ({ of, text, ms: durationOf(of, text, 0) });
  if (soak !== undefined) return soakOf('--soak', soak);
  const ofRings = clusters.flatMap(({ ring }) =>
    ring?.health?.soak === undefined ? [] : soakOf(`the soak of the ring ${ring.name},`, ring.health.soak),
  );
  return ofRings.reduce((a, b) => (b.ms > a.ms ? b : a), { of: '', text: '0s', ms: 0 });
}

async function intentIn(
  options: StatusOptions,
  terminal: Terminal,
): Promise<Pick<Fleet, 'intent' | 'output' | 'deployed'>> {
  const { from = OUTPUT, ring } = options;
  const output = await outputOf(options, terminal);
  const faults = faultsIn(output);
  if (faults.length > 0) throw new Misuse(`--from ${from}: ${faults.join('; ')}; synthesize again`);
  const rings = [...ringsByCluster(output)].filter(([, { name }]) => ring === undefined || name === ring);
  const deployed = rings.length === 0 ? new Map() : deployedOutputs(new Map(rings), folderFrom(from), output);
  const intent = fleetIntent(output, deployed);
  if (intent.clusters.length === 0) {
    throw new Misuse(`--from ${from} contains no cluster: it is empty, or not the output of a Platform`);
  }
  return { intent, output, deployed };
}

const OUTPUT = 'dist';

/** Returns the output of a Platform, manifests of other programs for one cluster, or that cluster's live objects. */
async function outputOf({ from, context = [], ...options }: StatusOptions, { stderr }: Terminal): Promise<Output> {
  const base = readOptions(options);
  const ofContext = async (folder?: string) => {
    if (context[0] !== undefined) return context[0];
    const { contexts, current } = await readKubeconfig(base);
    const name = folder && basename(resolve(folder));
    if (name !== undefined && contexts.has(name)) return name;
    if (current === undefined) throw new Misuse('the kubeconfig selects no context: set --context');
    if (folder !== undefined) {
      stderr.write(printableText(`${folder} is compared with the cluster of the current context, ${current}\n`));
    }
    return current;
  };
  if (from === undefined && !existsSync(OUTPUT)) {
    const cluster = await ofContext();
    return readCluster({ ...base, context: cluster }, (reader) => observedOutput(reader, cluster));
  }
  const folder = folderFrom(from ?? OUTPUT);
  const output = outputInFolder(folder);
  if (output.size > 0) return output;
  const manifests = outputOfManifests(folder);
  return new Map([[await ofContext(folder), manifests]]);
}

function chosenClusters({ clusters }: FleetIntent, { ring, only }: StatusOptions): readonly ClusterIntent[] {
  const names = clusters.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Misuse(`--only ${unknown}: there is no such cluster${didYouMean(suggest(unknown, names)[0])}`);
  }
  const chosen = clusters.filter(
    (one) => (ring === undefined || one.ring?.name === ring) && (only?.includes(one.name) ?? true),
  );
  if (chosen.length === 0) {
    throw new Misuse(
      `--ring ${ring}: ${only === undefined ? 'the ring has no clusters' : 'no cluster of --only is in it'}`,
    );
  }
  return chosen;
}

/** Returns the contexts of clusters from options, or else from the fleet file. */
function contextsOf(
  { clusters }: FleetIntent,
  { context = [], fleet }: StatusOptions,
  { readFile }: Terminal,
): ReadonlyMap<string, string> {
  const names = clusters.map(({ name }) => name);
  const given = context.flatMap((pair) => {
    // Without the output of a Platform, the cluster has the name of its context.
    if (names.length === 1 && pair === names[0]) return [];
    const at = pair.indexOf('=');
    const [cluster, name] = [pair.slice(0, at), pair.slice(at + 1)];
    if (at < 1 || name === '') throw new Misuse(`--context ${pair}: write CLUSTER=CONTEXT`);
    if (!names.includes(cluster)) {
      throw new Misuse(`--context ${pair}: there is no cluster ${cluster}${didYouMean(suggest(cluster, names)[0])}`);
    }
    return [[cluster, name] as const];
  });
  const file = fleet ?? (existsSync(FLEET_FILE) ? FLEET_FILE : undefined);
  return new Map([...(file === undefined ? [] : contextsInFile(file, readFile)), ...given]);
}

/** Refuses two clusters with the same context, because one cluster would be read twice. */
function checkContexts(clusters: readonly ClusterIntent[], contexts: ReadonlyMap<string, string>): void {
  const byContext = new Map<string, string>();
  for (const { name } of clusters) {
    const context = contexts.get(name) ?? name;
    const other = byContext.get(context);
    if (other !== undefined) throw new Misuse(`the clusters ${other} and ${name} have the same context, ${context}`);
    byContext.set(context, name);
  }
}

function checkServers(
  clusters: readonly ClusterIntent[],
  { contexts, known }: Pick<Fleet, 'contexts'> & { readonly known: Kubeconfig },
): void {
  const byServer = new Map<string, string>();
  for (const { name } of clusters) {
    const server = known.contexts.get(contexts.get(name) ?? name);
    if (server === undefined) continue;
    const other = byServer.get(server);
    if (other !== undefined)
      throw new Misuse(`the contexts of the clusters ${other} and ${name} have the same API server`);
    byServer.set(server, name);
  }
}

interface Fleet {
  readonly intent: FleetIntent;
  readonly output: Output;
  readonly deployed: ReadonlyMap<string, DeployedOutput>;
  readonly clusters: readonly ClusterIntent[];
  readonly contexts: ReadonlyMap<string, string>;
}

async function readFleet(fleet: Fleet, options: StatusOptions, known: Kubeconfig): Promise<FleetStatus> {
  const { intent, output, deployed, clusters, contexts } = fleet;
  const base = readOptions(options);
  if (options.through === undefined) checkServers(clusters, { contexts, known });
  const contextOf = (cluster: string) => contexts.get(cluster) ?? cluster;
  const hub = options.argocdContext ?? (intent.hub === undefined ? undefined : contextOf(intent.hub));
  // Without an ApplicationSet, it is unknown whether Argo CD applies the manifests.
  const isApplied = hub !== undefined || intent.clusters.some(({ source }) => source !== undefined);
  const argocd = isApplied ? await argoCdOf(intent, hub, { known, base }) : undefined;
  const now = Date.now();
  const driftOf = async (name: string, context: string) => {
    const { texts, folder: from } = deployed.get(name) ?? {
      texts: output.get(name) ?? new Map(),
      folder: options.from ?? OUTPUT,
    };
    const folders = comparedFolders(texts, intent.ignored);
    if (from === undefined) return driftFindings(folders.map(uncompared), () => '');
    const found = await compareFolders(folders, { ...base, context }, join(from, name));
    const command = (folder: string) =>
      `kubectl --context ${shellWord(context)} ${DIFF.join(' ')} -f ${shellWord(filenameOf(join(from, name, folder)))}`;
    return driftFindings(found, command);
  };
  const read = async (cluster: ClusterIntent): Promise<ClusterStatus> => {
    const context = contextOf(cluster.name);
    const common = {
      intent: cluster,
      kubectl: `kubectl --context ${shellWord(context)}`,
      ...(typeof argocd === 'object' && { argocd }),
      ...(options.commit !== undefined && { commit: options.commit }),
    };
    if (options.through === 'argocd') return clusterStatus({ ...common, now });
    if (known.contexts.get(context) === undefined) {
      return clusterWithoutContext(cluster, { context, isKnown: known.contexts.has(context) });
    }
    const seen = await readCluster({ ...base, context }, (reader) => observeForStatus(reader, cluster));
    const drift = options.drift && seen.unreachable === undefined && (await driftOf(cluster.name, context));
    return clusterStatus({ ...common, seen, ...(drift && { drift }), now: Date.now() });
  };
  const statuses = await mapAtOnce(clusters, options.atOnce, async (cluster) =>
    withFindings(await read(cluster), deployed.get(cluster.name)?.findings ?? []),
  );
  const findings = typeof argocd === 'string' ? [applicationsUnread(argocd)] : [];
  return fleetStatus(statuses, { intent, findings, now });
}

/** kubectl compares files, and cannot read commits. */
function uncompared({ folder }: ComparedFolder): FolderDrift {
  return {
    folder,
    failure: 'it is only in the revision of the ring; check out this revision, and set --from to its output',
  };
}

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

async function argoCdOf(
  { argocdNamespace = 'argocd' }: FleetIntent,
  hub: string | undefined,
  { known, base }: { readonly known: Kubeconfig; readonly base: Omit<ReadOptions, 'context'> },
): Promise<ObservedArgoCd | string> {
  if (hub === undefined) return 'the output does not say in which cluster Argo CD runs';
  if (known.contexts.get(hub) === undefined) return `the kubeconfig has no context ${hub}, or no cluster for it`;
  return readCluster({ ...base, context: hub }, async (reader) => {
    const applications = await observeArgoCd('applications', reader, argocdNamespace);
    if (typeof applications === 'string') return applications;
    const sets = await observeArgoCd('applicationSets', reader, argocdNamespace);
    return typeof sets === 'string' ? sets : { applications, sets };
  });
}
