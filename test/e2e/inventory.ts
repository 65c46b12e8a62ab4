import { type Kubectl, KubectlError } from './kubectl';
import { RUN_LABEL } from './refusals';

/** An object in a list of everything that a cluster has. */
export interface Listed {
  readonly kind: string;
  readonly apiVersion: string;
  /** Absent for an object of the whole cluster. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  /** Another object owns it, and its end is that of the owner. */
  readonly isOwned: boolean;
  /** The run that made it, by its label. */
  readonly run?: string;
}

/** An object that may stay, and why. */
export interface Promised {
  readonly reason: string;
  readonly is: (object: Listed) => boolean;
}

/** What the cluster has now and had not before. */
export interface LeftBehind {
  /** The objects that may stay, by the reason. */
  readonly promised: ReadonlyMap<string, readonly Listed[]>;
  readonly others: readonly Listed[];
}

const NONE = '<none>';

/** Reads what kubectl prints in the columns of COLUMNS. */
export function parseInventory(text: string): readonly Listed[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns.length === 7)
    .map(([kind = '', apiVersion = '', namespace = NONE, name = '', uid = '', owner = NONE, run = NONE]) => ({
      kind,
      apiVersion,
      ...(namespace !== NONE && { namespace }),
      name,
      uid,
      isOwned: owner !== NONE,
      ...(run !== NONE && { run }),
    }));
}

/** kinds that come and go by themselves, or show other objects. */
const PASSING = new Set(['ComponentStatus', 'Event', 'NodeMetrics', 'PodMetrics']);

/**
 * Returns the objects that are new. Objects that others own are left out: they are gone when their owners are, and the
 * cluster makes its own all the time.
 */
export function leftBehind(
  before: readonly Listed[],
  after: readonly Listed[],
  promises: readonly Promised[] = [],
): LeftBehind {
  const known = new Set(before.map(({ uid }) => uid));
  const found = after.filter(({ uid, kind, isOwned }) => !known.has(uid) && !isOwned && !PASSING.has(kind));
  // An object of two API groups, such as an Ingress of old, is listed twice.
  const fresh = [...new Map(found.map((object) => [object.uid, object])).values()];
  const reasonOf = (object: Listed) => promises.find(({ is }) => is(object))?.reason ?? '';
  const { '': others = [], ...promised } = Object.groupBy(fresh, reasonOf) as Record<string, Listed[]>;
  return { promised: new Map(Object.entries(promised)), others };
}

/** Returns the objects that were there before and are gone, except those that others own. */
export function goneSince(before: readonly Listed[], after: readonly Listed[]): readonly Listed[] {
  const known = new Set(after.map(({ uid }) => uid));
  return before.filter(({ uid, kind, isOwned }) => !known.has(uid) && !isOwned && !PASSING.has(kind));
}

/** Returns the name of an object for people: `Secret shop/token`. */
export function describeListed({ kind, namespace, name }: Listed): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

const COLUMNS = [
  'K:.kind',
  'A:.apiVersion',
  'N:.metadata.namespace',
  'M:.metadata.name',
  'U:.metadata.uid',
  'O:.metadata.ownerReferences[0].kind',
  `L:.metadata.labels.${RUN_LABEL}`,
].join(',');

/**
 * Lists everything that a cluster has, without the contents.
 *
 * @throws KubectlError if the list is not whole: what is missing would look like removed, and later like left behind
 */
export async function inventory(cluster: Kubectl): Promise<readonly Listed[]> {
  // The groups of a server that is down are left out.
  const { stdout } = await cluster.run(['api-resources', '--verbs=list,delete', '-o', 'name']);
  const resources = stdout.split('\n').filter((name) => name !== '' && !PASSING_RESOURCES.test(name));
  const listed = await listAll(cluster, resources);
  if (listed.some(({ kind }) => kind === 'Namespace')) return listed;
  throw new KubectlError('the API server lists no namespaces');
}

/** Lists the objects of resources in one request of kubectl, without the contents. */
export async function listAll(cluster: Kubectl, resources: readonly string[]): Promise<readonly Listed[]> {
  const args = ['--all-namespaces', '--no-headers', '--ignore-not-found', '-o', `custom-columns=${COLUMNS}`];
  return parseInventory(await cluster.text(['get', resources.join(','), ...args]));
}

const PASSING_RESOURCES = /^events(?:\.|$)|\.metrics\.k8s\.io$/;
