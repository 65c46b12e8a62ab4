import { existsSync } from 'node:fs';
import { printableText } from '#base/findings/printable-text';
import { shellWord } from '#base/shell-word';
import { didYouMean, suggest } from '#base/suggest';
import { doctorReport } from '#lib/review/doctor/doctor';
import type { DoctorFormat } from '#lib/review/doctor/formats/formats';
import { doctorJson } from '#lib/review/doctor/formats/json';
import { doctorText } from '#lib/review/doctor/formats/text';
import type { Symptom } from '#lib/review/doctor/symptom';
import type { ObservedApplication } from '#lib/review/live/applications';
import { type DoctorObservation, itemsOf } from '#lib/review/live/observation';
import type { StatusFinding } from '#lib/review/status/finding';
import { type ClusterIntent, fleetIntent, ringsByCluster } from '#lib/review/status/intent';
import { applicationsOf } from '#lib/review/status/rules/applications';
import { applicationsUnread } from '#lib/review/status/status';
import { contextsInFile, FLEET_FILE, readOptions, withKubectl } from './cluster-options';
import { folderFrom } from './folder-output';
import { intendedOutput } from './intended-output';
import { readKubeconfig } from './kubectl';
import { observeArgoCd, observeForDoctor, readCluster } from './observe-cluster';
import { deployedOutputs } from './ring-outputs';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `doctor`. */
export interface DoctorOptions {
  readonly context?: string;
  readonly from?: string;
  readonly cluster?: string;
  readonly argocdContext?: string;
  readonly format: DoctorFormat;
  readonly timeout: string;
  readonly maxPages: number;
  readonly kubectl: string;
}

/** Prints the causes of problems of a cluster's mesh, or of some of its pods. */
export async function doctor(given: string | undefined, options: DoctorOptions, terminal: Terminal): Promise<number> {
  const symptom = given === undefined ? undefined : symptomIn(given);
  const base = readOptions(options);
  const folder = folderOf(options);
  const context = await withKubectl(() => contextOf(options.context, base));
  const found = folder === undefined ? undefined : clusterIn(context, folder, options, terminal);
  if (found === undefined && options.argocdContext !== undefined) {
    throw new Misuse('--argocd-context needs an output with the cluster, which names its Applications: set --cluster');
  }
  const [own, applications] = await withKubectl(() =>
    Promise.all([readCluster({ ...base, context }, observeForDoctor), hubApplications(found, base)]),
  );
  const isRead = Array.isArray(applications) && own.unreachable === undefined;
  const seen = isRead ? withApplications(own, applications) : own;
  const report = doctorReport({
    seen,
    unreadOutput: [
      ...(found?.unread ?? []),
      ...(typeof applications === 'string' ? [applicationsUnread(applications)] : []),
    ],
    now: Date.now(),
    kubectl: options.context === undefined ? 'kubectl' : `kubectl --context ${shellWord(context)}`,
    ...(found !== undefined && { output: found.cluster }),
    ...(symptom !== undefined && { symptom }),
  });
  if (report === undefined) {
    throw new Misuse(`${given}: the cluster has no such namespace, or no pod or workload of this name in it`);
  }
  terminal.stdout.write(printableText(options.format === 'json' ? doctorJson(report) : doctorText(report)));
  return report.causes.some(({ chain }) => chain.some(({ severity }) => severity === 'error'))
    ? EXIT.refused
    : EXIT.done;
}

/** `shop`, `shop/web`, or `shop/Deployment/web` as findings write it. */
function symptomIn(text: string): Symptom {
  const parts = text.split('/');
  const [namespace = ''] = parts;
  const name = parts.at(-1);
  if (namespace === '' || name === '' || parts.length > 3) {
    throw new Misuse(`${text}: name a namespace, or a pod or a workload in one, such as shop/web`);
  }
  return { namespace, ...(parts.length > 1 && name !== undefined && { name }) };
}

/** @throws Misuse if the kubeconfig does not have the context, or its cluster */
async function contextOf(given: string | undefined, options: Parameters<typeof readKubeconfig>[0]): Promise<string> {
  const { contexts, current } = await readKubeconfig(options);
  const context = given ?? current;
  if (context === undefined) throw new Misuse('the kubeconfig selects no context: set --context');
  if (!contexts.has(context)) {
    const meant = didYouMean(suggest(context, [...contexts.keys()])[0]);
    throw new Misuse(`--context ${context}: the kubeconfig has no such context${meant}`);
  }
  if (contexts.get(context) === undefined) {
    throw new Misuse(`--context ${context}: the kubeconfig has no cluster for this context`);
  }
  return context;
}

const OUTPUT = 'dist';

interface FoundCluster {
  readonly cluster: ClusterIntent;
  readonly unread: readonly StatusFinding[];
  /** The place of the cluster's Applications, if Argo CD runs in another cluster. */
  readonly hub?: { readonly context: string; readonly namespace: string };
}

/** Reads Applications from the cluster of Argo CD, or returns why it cannot; undefined if that is the same cluster. */
async function hubApplications(
  found: FoundCluster | undefined,
  base: ReturnType<typeof readOptions>,
): Promise<readonly ObservedApplication[] | string | undefined> {
  if (found?.hub === undefined) return undefined;
  const { cluster, hub } = found;
  const { contexts } = await readKubeconfig(base);
  if (contexts.get(hub.context) === undefined)
    return `the kubeconfig has no context ${hub.context}, or no cluster for it`;
  const all = await readCluster({ ...base, context: hub.context }, (reader) =>
    observeArgoCd('applications', reader, hub.namespace),
  );
  return typeof all === 'string' ? all : [...applicationsOf(cluster, all).values()];
}

function withApplications(seen: DoctorObservation, more: readonly ObservedApplication[]): DoctorObservation {
  return { ...seen, applications: { is: 'read', items: [...(itemsOf(seen.applications) ?? []), ...more] } };
}

/** Returns the folder of the output; undefined if there is none, and no option requires one. */
function folderOf({ from, cluster }: DoctorOptions): string | undefined {
  return from === undefined && cluster === undefined && !existsSync(OUTPUT) ? undefined : folderFrom(from ?? OUTPUT);
}

/** Returns the cluster of a context in an output; undefined if there is none, and no option requires one. */
function clusterIn(
  context: string,
  folder: string,
  { cluster, argocdContext }: DoctorOptions,
  { readFile }: Terminal,
): FoundCluster | undefined {
  const output = intendedOutput(folder, cluster ?? context);
  const contexts = existsSync(FLEET_FILE) ? [...contextsInFile(FLEET_FILE, readFile)] : [];
  const wanted = cluster ?? contexts.find(([, one]) => one === context)?.[0] ?? context;
  const rings = [...ringsByCluster(output)].filter(([name]) => name === wanted);
  const deployed = deployedOutputs(new Map(rings), folder, output);
  const { clusters, hub, argocdNamespace = 'argocd' } = fleetIntent(output, deployed);
  const found = clusters.find(({ name }) => name === wanted);
  if (found !== undefined) {
    const place = argocdContext ?? (hub === wanted ? undefined : contextOfHub(hub, contexts));
    return {
      cluster: found,
      unread: deployed.get(wanted)?.findings ?? [],
      ...(place !== undefined && place !== context && { hub: { context: place, namespace: argocdNamespace } }),
    };
  }
  if (cluster === undefined) return undefined;
  const names = clusters.map(({ name }) => name);
  throw new Misuse(`--cluster ${cluster}: the output has no such cluster${didYouMean(suggest(cluster, names)[0])}`);
}

function contextOfHub(hub: string | undefined, contexts: readonly (readonly [string, string])[]): string | undefined {
  return hub === undefined ? undefined : (new Map(contexts).get(hub) ?? hub);
}
