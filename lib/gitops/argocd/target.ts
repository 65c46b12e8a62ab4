import type { Problem } from '#base/findings/problem';
import type { ApplicationSet } from '#imports/crds/argoproj.io';
import { checkDnsLabel, checkLabelKey, checkLabelValue } from '#kubernetes/names';
import { checkUrlCredentials } from '#kubernetes/urls';
import type { Warning } from '../../checks/warnings';
import type { ClusterDefinition } from '../synth/build-cluster';
import type { ClusterDestination } from '../tree/cluster';
import { ARGOCD_FINDINGS } from './findings';
import type { ResolvedGitSource } from './git-source';

/**
 * All clusters that are registered in Argo CD and have a folder of the same name in Git. Adding or removing clusters
 * does not change the ApplicationSet.
 */
export interface Fleet {
  readonly cluster?: never;

  /**
   * Labels that the Secret of a registered cluster must have. Without labels, the cluster that Argo CD itself runs in
   * is included, as `in-cluster` unless it has a Secret with another name.
   *
   * @default - none: every registered cluster
   */
  readonly clusterLabels?: Readonly<Record<string, string>>;
}

/** The clusters for which an ApplicationSet generates Applications: a fleet, or one cluster and its folder. */
export type Target =
  | Fleet
  | {
      /** Name of the cluster's folder. */
      readonly cluster: string;
      /** The address of the cluster for Argo CD: its API server's URL, or its registered name. */
      readonly destination: ClusterDestination;
      readonly clusterLabels?: never;
    };

type OneCluster = Exclude<Target, Fleet>;

type Generator = ApplicationSet['spec']['generators'][number];
type Placement = Pick<ApplicationSet['spec']['template']['spec'], 'destination'> & { readonly name: string };

/** Returns a generator with one parameter set per namespace folder. */
export function folderGenerator(target: Target, { repoUrl, revision, prefix }: ResolvedGitSource): Generator {
  const cluster = isOneCluster(target) ? target.cluster : '{{.name}}';
  const git = { repoURL: repoUrl, revision, directories: [{ path: `${prefix}${cluster}/*` }] };
  if (isOneCluster(target)) return { git };
  return {
    matrix: { generators: [{ clusters: { selector: { matchLabels: { ...target.clusterLabels } } } }, { git }] },
  };
}

/** Returns name and destination of a generated Application, as Go templates. */
export function placement(target: Target): Placement {
  const namespace = '{{.path.basename}}';
  return isOneCluster(target)
    ? { name: `${target.cluster}-${namespace}`, destination: { ...target.destination, namespace } }
    : { name: `{{.name}}-${namespace}`, destination: { name: '{{.name}}', namespace } };
}

/** Reports targets that Argo CD would not find, or would interpret as a pattern or template. */
export function checkTarget(target: Target): readonly Problem[] {
  if (isOneCluster(target)) {
    return [...checkDnsLabel('The name of a cluster', target.cluster), ...checkDestination(target)];
  }
  return Object.entries(target.clusterLabels ?? {}).flatMap(([key, value]) => [
    ...checkLabelKey('clusterLabels', key),
    ...checkLabelValue(`clusterLabels["${key}"]`, value),
  ]);
}

function checkDestination({ cluster, destination }: OneCluster): readonly Problem[] {
  const { server, name }: { readonly server?: string; readonly name?: string } = destination;
  if (server !== undefined && name !== undefined)
    return [ARGOCD_FINDINGS.destinationRefusedTwoAddresses({ cluster, server, name })];
  const [field, value] = server === undefined ? (['name', name ?? ''] as const) : (['server', server] as const);
  const credentials = checkUrlCredentials(`The destination.${field} of cluster ${cluster}`, value);
  if (credentials.length > 0) return credentials;
  // A project's destinations are glob patterns, and the strings of an ApplicationSet are Go templates.
  const plain = value !== '' && !/[\s*?[\]{}!\\]/.test(value);
  if (plain && (field === 'name' || /^https?:\/\/[^/]/.test(value))) return [];
  return [ARGOCD_FINDINGS.destinationRefused({ cluster, field, value })];
}

function isOneCluster(target: Target): target is OneCluster {
  return target.cluster !== undefined;
}

/** Warns about a server address of a cluster in a fleet: Argo CD's own list of clusters has the address. */
export function unusedDestination({
  name,
  props: { destination },
}: Pick<ClusterDefinition, 'name' | 'props'>): readonly Warning[] {
  if (destination?.server === undefined) return [];
  return [ARGOCD_FINDINGS.destinationUnused({ cluster: name, server: destination.server })];
}

/** Argo CD's name for the cluster that it runs in (argo-cd, util/argo and its documentation). */
const OWN_CLUSTER = { name: 'in-cluster', server: 'https://kubernetes.default.svc' };

/** Returns equal strings for equal clusters, whatever the form of the address. */
export function addressOf(destination: { readonly server: string } | { readonly name: string }): string {
  const server = 'server' in destination ? plainUrl(destination.server) : undefined;
  if (server === undefined) return 'name' in destination ? `name ${destination.name}` : '';
  return server === plainUrl(OWN_CLUSTER.server) ? `name ${OWN_CLUSTER.name}` : `server ${server}`;
}

function plainUrl(text: string): string {
  return URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;
}
