import { type Kubectl, KubectlError } from './kubectl';
import { RUN_LABEL } from './refusals';

/** An object in the list of all objects of a cluster. */
export interface Listed {
  readonly kind: string;
  readonly apiVersion: string;
  /** Absent for an object of the whole cluster. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  /** True if another object owns it: it is deleted with its owner. */
  readonly isOwned: boolean;
  /** The run that created it, from its label. */
  readonly run?: string;
}

/** A condition for objects that may stay, and the reason. */
export interface Promised {
  readonly reason: string;
  readonly is: (object: Listed) => boolean;
}

/** The new objects of the cluster. */
export interface LeftBehind {
  /** The objects that may stay, by the reason. */
  readonly promised: ReadonlyMap<string, readonly Listed[]>;
  readonly others: readonly Listed[];
}

const NONE = '<none>';

/** Parses the output of kubectl with the columns of COLUMNS. */
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

/** Kinds of short-lived objects, or of views of other objects. */
const PASSING = new Set(['ComponentStatus', 'Event', 'NodeMetrics', 'PodMetrics']);

/**
 * Returns the new objects, except owned ones: they are deleted with their owners, and the cluster creates such objects
 * all the time.
 */
export function leftBehind(
  before: readonly Listed[],
  after: readonly Listed[],
  promises: readonly Promised[] = [],
): LeftBehind {
  const known = new Set(before.map(({ uid }) => uid));
  const found = after.filter(({ uid, kind, isOwned }) => !known.has(uid) && !isOwned && !PASSING.has(kind));
  // An object in two API groups, such as an Ingress in old clusters, is listed twice.
  const fresh = [...new Map(found.map((object) => [object.uid, object])).values()];
  const reasonOf = (object: Listed) => promises.find(({ is }) => is(object))?.reason ?? '';
  const { '': others = [], ...promised } = Object.groupBy(fresh, reasonOf) as Record<string, Listed[]>;
  return { promised: new Map(Object.entries(promised)), others };
}

/** Returns the earlier objects that are gone, except owned ones. */
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
 * Lists all objects of a cluster, without their contents.
 *
 * @throws KubectlError if the list is incomplete: a missing object would look removed, and later left behind
 */
export async function inventory(cluster: Kubectl): Promise<readonly Listed[]> {
  // kubectl leaves out the API groups of a server that is down.
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
