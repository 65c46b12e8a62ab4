import { at, idIn, listAt, textAt } from '#lib/review/live/fields';
import {
  type ARGOCD_LISTS,
  CLUSTER_LISTS,
  type ClusterList,
  type ClusterListName,
  DOCTOR_LISTS,
  type DoctorObservation,
  type ListedResource,
  MESH_LISTS,
  NEEDED_GROUPS,
  type Observation,
  type ObservationOf,
  type ObservedItem,
  PAGE,
  type Reading,
  STATUS_LISTS,
  type StatusObservation,
} from '#lib/review/live/observation';
import { AUDITED, auditedIn, queryPath, SUCCESS_RATE, successRateIn } from '#lib/review/live/prometheus';
import type { ClusterIntent } from '#lib/review/status/intent';
import { mapAtOnce } from './at-once';
import type { Answer, KubectlOptions } from './kubectl';
import { type GetPath, openApiServer } from './kubectl-proxy';

/** How to read a cluster. */
export interface ReadOptions extends KubectlOptions {
  readonly context: string;
  /** Maximum time for reading a whole cluster, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of pages of one list; a page has 250 objects. */
  readonly maxPages: number;
}

/** The versions of API groups, the preferred one first. */
type Versions = ReadonlyMap<string, readonly string[]>;

/** A cluster while it is being read. */
export interface Reader {
  readonly get: GetPath;
  readonly versions: Versions;
  /** Maximum number of objects of one resource. */
  readonly maxObjects: number;
}

/** Calls a function with a reader of the cluster, or with the reason why the cluster does not answer. */
export async function readCluster<T>(options: ReadOptions, act: (reader: Reader | string) => Promise<T>): Promise<T> {
  const server = openApiServer({ ...options, signal: AbortSignal.timeout(options.timeoutMs) });
  try {
    return await act(await openReader(server.get, options.maxPages));
  } finally {
    server.close();
  }
}

/** Returns an API server to read, or why it does not answer. */
export async function openReader(get: GetPath, maxPages: number): Promise<Reader | string> {
  const versions = await versionsOf(get);
  return typeof versions === 'string' ? versions : { get, versions, maxObjects: maxPages * PAGE };
}

/** Observes a cluster for `status`, one list after the other, because `status` reads many clusters at once. */
export async function observeForStatus(
  reader: Reader | string,
  { meshNamespaces, ring }: ClusterIntent,
): Promise<StatusObservation> {
  const ofMesh = new Set(meshNamespaces);
  const seen = await observeLists(STATUS_LISTS, reader, {
    atOnce: 1,
    within: (name) => (MESH_LISTS.has(name) ? ofMesh : undefined),
  });
  const prometheus = ring?.health?.prometheus;
  if (typeof reader === 'string' || prometheus === undefined) return seen;
  return { ...seen, ...(await measure(prometheus, reader)) };
}

/** Observes a cluster for `doctor`. */
export async function observeForDoctor(reader: Reader | string): Promise<DoctorObservation> {
  const seen = await observeLists(DOCTOR_LISTS, reader, { atOnce: AT_ONCE });
  return { ...seen, resources: typeof reader === 'string' ? { is: 'absent' } : await neededResources(reader) };
}

/** Number of lists that doctor reads at once. */
const AT_ONCE = 4;

/** The lists of the objects that declare the intended state of a cluster. */
const INTENDED = [
  'namespaces',
  'workloads',
  'certificates',
  'webhooks',
  'bundles',
  'trustAnchors',
  'configs',
  'links',
] as const;

/** Returns the readable objects that declare the intended state of a cluster. */
export async function readIntended(reader: Reader): Promise<readonly object[]> {
  const resources = INTENDED.flatMap((name) => CLUSTER_LISTS[name].resources);
  const readings = await mapAtOnce(resources, AT_ONCE, (resource) => {
    const version = reader.versions.get(resource.group)?.[0] ?? 'v1';
    const apiVersion = resource.group === '' ? version : `${resource.group}/${version}`;
    const observe = (object: unknown, kind: string) => ({ ...(object as object), apiVersion, kind });
    return readResource(resource, reader, { observe, page: PAGE });
  });
  return readings.flatMap((reading) => (reading.is === 'read' ? reading.items : []));
}

/** Reads lists page by page, or returns that the cluster does not answer. */
async function observeLists<K extends ClusterListName>(
  lists: readonly K[],
  reader: Reader | string,
  { atOnce, within }: { readonly atOnce: number; readonly within?: (name: K) => ReadonlySet<string> | undefined },
): Promise<ObservationOf<K>> {
  const readings = await mapAtOnce(lists, atOnce, async (name) =>
    typeof reader === 'string' ? { is: 'absent' } : readLists(name, reader, { within: within?.(name) }),
  );
  const seen = Object.fromEntries(lists.map((name, index) => [name, readings[index]]));
  return { ...(seen as ObservationOf<K>), ...(typeof reader === 'string' && { unreachable: reader }) };
}

async function neededResources(reader: Reader): Promise<Reading<string>> {
  const readings = await mapAtOnce(NEEDED_GROUPS, AT_ONCE, (group) => readResources(group, reader));
  const unread = readings.find(({ is }) => is === 'forbidden' || is === 'failed');
  return unread ?? { is: 'read', items: readings.flatMap((one) => (one.is === 'read' ? one.items : [])) };
}

/** Queries Prometheus through the API server. */
async function measure(prometheus: string, reader: Reader): Promise<Pick<Observation, 'successRate' | 'audited'>> {
  const ask = async (query: string): Promise<Answer> => {
    const path = queryPath(prometheus, query);
    if (path === undefined) return { ok: false, reason: `${prometheus} is not the Service of a Prometheus` };
    return reader.get(path);
  };
  const rate = await ask(SUCCESS_RATE);
  if (!rate.ok) return { successRate: { unknown: rate.reason } };
  const audited = await ask(AUDITED);
  return {
    successRate: successRateIn(parsed(rate.text)),
    ...(audited.ok && { audited: auditedIn(parsed(audited.text)) }),
  };
}

/** Returns all objects of a list of Argo CD in its namespace, or the reason why they cannot be read. */
export async function observeArgoCd<K extends (typeof ARGOCD_LISTS)[number]>(
  name: K,
  reader: Reader | string,
  namespace: string,
): Promise<readonly ObservedItem<K>[] | string> {
  if (typeof reader === 'string') return reader;
  const reading: Reading<ObservedItem<K>> = await readLists(name, reader, { namespace });
  if (reading.is === 'read') return reading.truncated ? 'there are more than --max-pages permits' : reading.items;
  if (reading.is === 'forbidden')
    return `you are not permitted to list ${name.toLowerCase()} in the namespace ${namespace}`;
  return reading.is === 'absent' ? 'the cluster has no Argo CD' : reading.reason;
}

/** Returns the versions of all API groups, or why the cluster does not answer. */
async function versionsOf(get: GetPath): Promise<Versions | string> {
  const answer = await get('/apis');
  if (!answer.ok) return answer.reason;
  const list = parsed(answer.text);
  // The login page of a proxy is an answer, too. Every API server has API groups.
  if (textAt(list, 'kind') !== 'APIGroupList') return 'the server is not a Kubernetes API server';
  const groups = listAt(list, 'groups').map((group) => {
    const all = [at(group, 'preferredVersion'), ...listAt(group, 'versions')];
    const versions = all.flatMap((one) => textAt(one, 'version') ?? []);
    return [textAt(group, 'name') ?? '', [...new Set(versions)]] as const;
  });
  return new Map([...groups, ['', ['v1']]]);
}

/** Returns the names of the resources of an API group: `servers.policy.linkerd.io`. */
export async function readResources(group: string, reader: Reader): Promise<Reading<string>> {
  const items: string[] = [];
  for (const version of reader.versions.get(group) ?? []) {
    const answer = await reader.get(`/apis/${group}/${version}`);
    if (!answer.ok) {
      const reading = unread(answer);
      // The version may have been removed meanwhile.
      if (reading.is === 'absent') continue;
      return reading;
    }
    const resources = listIn(parsed(answer.text), 'resources');
    if (resources === undefined) return { is: 'failed', reason: NO_LIST };
    for (const resource of resources) {
      const name = textAt(resource, 'name');
      if (name !== undefined) items.push(`${name}.${group}`);
    }
  }
  return { is: 'read', items };
}

/** Limits a list to some namespaces. */
interface Place {
  /** The namespace to read; all if absent. */
  readonly namespace?: string;
  /** Only objects in these namespaces are kept; all if absent. */
  readonly within?: ReadonlySet<string> | undefined;
}

/** Reads a list. If one of its resources cannot be read, returns the reason and no part of the list. */
export async function readLists<K extends ClusterListName>(
  name: K,
  reader: Reader,
  place: Place = {},
): Promise<Reading<ObservedItem<K>>> {
  const list = CLUSTER_LISTS[name] as ClusterList<ObservedItem<K>>;
  const items: ObservedItem<K>[] = [];
  let truncated = false;
  let isRead = false;
  for (const resource of list.resources) {
    const reading = await readResource(resource, reader, { ...list, ...place });
    if (reading.is === 'forbidden' || reading.is === 'failed') return reading;
    if (reading.is === 'absent') continue;
    isRead = true;
    truncated ||= reading.truncated === true;
    for (const item of reading.items) items.push(item);
  }
  return isRead ? { is: 'read', items, ...(truncated && { truncated }) } : { is: 'absent' };
}

type Wanted<T> = Omit<ClusterList<T>, 'resources'> & Place;

async function readResource<T>(resource: ListedResource, reader: Reader, wanted: Wanted<T>): Promise<Reading<T>> {
  for (const version of reader.versions.get(resource.group) ?? []) {
    const reading = await readVersion({ resource, version }, reader, wanted);
    // The preferred version of a group may lack a resource: Servers of Linkerd 2.14 exist only in an older version.
    if (reading.is !== 'absent') return reading;
  }
  return { is: 'absent' };
}

async function readVersion<T>(
  { resource, version }: { readonly resource: ListedResource; readonly version: string },
  reader: Reader,
  wanted: Wanted<T>,
): Promise<Reading<T>> {
  const items: T[] = [];
  let next = '';
  for (let count = 0; count < reader.maxObjects; count += wanted.page) {
    const answer = await reader.get(pathOf(resource, version, { ...wanted, next }));
    // The API server has discarded the list. The pages that were read are kept.
    if (!answer.ok && next !== '' && answer.status === 'Expired') break;
    if (!answer.ok) return unread(answer);
    const list = parsed(answer.text);
    const objects = listIn(list, 'items');
    if (objects === undefined) return { is: 'failed', reason: NO_LIST };
    for (const item of kept(objects, resource.kind, wanted)) items.push(item);
    next = continueOf(list);
    if (next === '') return { is: 'read', items };
  }
  return { is: 'read', items, truncated: true };
}

const NO_LIST = 'the answer is not a list';

/** Returns a list in an answer, also an empty one, which Go writes as null; undefined if the answer has none. */
function listIn(answer: unknown, key: string): readonly unknown[] | undefined {
  const list = at(answer, key);
  if (list === null) return [];
  return Array.isArray(list) ? list : undefined;
}

function continueOf(list: unknown): string {
  const next = at(list, 'metadata', 'continue');
  return typeof next === 'string' ? next : '';
}

function* kept<T>(objects: readonly unknown[], kind: string, { observe, within }: Wanted<T>): Iterable<T> {
  for (const object of objects) {
    if (within !== undefined && !within.has(idIn(object).namespace)) continue;
    const item = observe(object, kind);
    if (item !== undefined) yield item;
  }
}

function pathOf(
  { group, resource, labelSelector, fieldSelector }: ListedResource,
  version: string,
  { namespace, page, next }: Pick<Wanted<unknown>, 'namespace' | 'page'> & { readonly next: string },
): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const query = new URLSearchParams({
    limit: `${page}`,
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
    ...(next !== '' && { continue: next }),
  });
  return `${root}${place}/${resource}?${query}`;
}

function unread({ status, reason }: Extract<Answer, { readonly ok: false }>): Reading<never> {
  if (status === 'Forbidden') return { is: 'forbidden' };
  return status === 'NotFound' ? { is: 'absent' } : { is: 'failed', reason };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
