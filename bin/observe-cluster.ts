import {
  CLUSTER_LISTS,
  type ClusterList,
  type ClusterListName,
  type ListedResource,
  PAGE,
} from '../lib/review/live/lists';
import { at, listAt, textAt } from '../lib/review/status/fields';
import type { ClusterIntent } from '../lib/review/status/intent';
import { LISTS, observedApplication, observedApplicationSet } from '../lib/review/status/lists';
import type { Observation, ObservedKind, Reading } from '../lib/review/status/observation';
import { AUDITED, auditedIn, queryPath, SUCCESS_RATE, successRateIn } from '../lib/review/status/prometheus';
import type { ObservedArgoCd } from '../lib/review/status/rules/applications';
import type { Answer, KubectlOptions } from './kubectl';
import { type GetPath, openApiServer } from './kubectl-proxy';

/** How to read a cluster. */
export interface ReadOptions extends KubectlOptions {
  readonly context: string;
  /** The longest time for all of a cluster, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of pages of 250 objects of one list. */
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

/** Returns undefined for an object that no rule needs. */
type Observe<T> = (object: unknown, kind: string) => T | undefined;

/** Reads a cluster: all lists of an observation, page by page, keeping of each object only what rules need. */
export function observeCluster(options: ReadOptions, intent: ClusterIntent): Promise<Observation> {
  return readCluster(options, (reader) => observe(reader, intent));
}

async function observe(reader: Reader | string, intent: ClusterIntent): Promise<Observation> {
  const meshNamespaces = new Set(intent.meshNamespaces);
  const prometheus = intent.ring?.health?.prometheus;
  const kinds = Object.keys(LISTS) as ObservedKind[];
  if (typeof reader === 'string') return { ...nothing(kinds), unreachable: reader };
  const seen: Partial<Record<ObservedKind, Reading<unknown>>> = {};
  for (const kind of kinds) seen[kind] = await readLists(kind, observeIn(kind, meshNamespaces), reader);
  return { ...(seen as Observation), ...(prometheus !== undefined && (await measure(prometheus, reader))) };
}

/** Calls a function with a cluster to read, or with why it does not answer. */
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

/** For a list of the mesh alone, it keeps nothing of other namespaces. */
function observeIn(kind: ObservedKind, meshNamespaces: ReadonlySet<string>): Observe<unknown> {
  const { observe, ofMesh } = LISTS[kind];
  if (!ofMesh) return observe;
  return (object, of) => {
    const item = observe(object, of);
    return meshNamespaces.has((item as { readonly namespace?: string })?.namespace ?? '') ? item : undefined;
  };
}

/** Asks Prometheus by way of the API server. */
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

/** Reads the Applications and ApplicationSets of Argo CD in a namespace. Returns the reason if it cannot. */
export function observeArgoCd(options: ReadOptions, namespace: string): Promise<ObservedArgoCd | string> {
  return readCluster(options, async (reader) => (typeof reader === 'string' ? reader : readArgoCd(reader, namespace)));
}

async function readArgoCd(reader: Reader, namespace: string): Promise<ObservedArgoCd | string> {
  const applications = await itemsIn('applications', observedApplication, reader, namespace);
  if (typeof applications === 'string') return applications;
  const sets = await itemsIn('applicationSets', observedApplicationSet, reader, namespace);
  return typeof sets === 'string' ? sets : { applications, sets };
}

/** Returns what is kept of all objects of a list in the namespace of Argo CD, or the reason why not. */
export async function itemsIn<T>(
  name: 'applications' | 'applicationSets',
  observe: Observe<T>,
  reader: Reader,
  namespace: string,
): Promise<readonly T[] | string> {
  const reading = await readLists(name, observe, reader, namespace);
  if (reading.is === 'read') return reading.truncated ? 'there are more than --max-pages permits' : reading.items;
  if (reading.is === 'forbidden') return `you may not list ${name.toLowerCase()} in the namespace ${namespace}`;
  return reading.is === 'absent' ? 'the cluster has no Argo CD' : reading.reason;
}

function nothing(kinds: readonly ObservedKind[]): Observation {
  return Object.fromEntries(kinds.map((kind) => [kind, { is: 'absent' }])) as unknown as Observation;
}

/** A text says why the cluster does not answer. */
async function versionsOf(get: GetPath): Promise<Versions | string> {
  const answer = await get('/apis');
  if (!answer.ok) return answer.reason;
  const list = parsed(answer.text);
  // A proxy that asks to log in answers, too, and no cluster is without API groups.
  if (textAt(list, 'kind') !== 'APIGroupList') return 'what answers is no API server';
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
      // It may have been removed meanwhile.
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

/**
 * Reads a list, in all namespaces if it names none. Where one of its resources cannot be read, the list cannot.
 */
export async function readLists<T>(
  name: ClusterListName,
  observe: Observe<T>,
  reader: Reader,
  namespace?: string,
): Promise<Reading<T>> {
  const { resources, page }: ClusterList = CLUSTER_LISTS[name];
  const items: T[] = [];
  let truncated = false;
  let isRead = false;
  for (const resource of resources) {
    const wanted = { page, observe, ...(namespace !== undefined && { namespace }) };
    const reading = await readList(resource, reader, wanted);
    if (reading.is === 'forbidden' || reading.is === 'failed') return reading;
    if (reading.is === 'absent') continue;
    isRead = true;
    truncated ||= reading.truncated === true;
    for (const item of reading.items) items.push(item);
  }
  return isRead ? { is: 'read', items, ...(truncated && { truncated }) } : { is: 'absent' };
}

interface Wanted<T> {
  /** All namespaces if absent. */
  readonly namespace?: string;
  readonly page: number;
  readonly observe: Observe<T>;
}

async function readList<T>(resource: ListedResource, reader: Reader, wanted: Wanted<T>): Promise<Reading<T>> {
  for (const version of reader.versions.get(resource.group) ?? []) {
    const reading = await readVersion({ resource, version }, reader, wanted);
    // The preferred version of a group need not have all of its resources: Servers of Linkerd 2.14 have an older one.
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
  for (let count = 0; count < reader.maxObjects; ) {
    const answer = await reader.get(pathOf(resource, version, { ...wanted, next }));
    // The API server forgets old lists: what came until then is kept.
    if (!answer.ok) return next !== '' && answer.status === 'Expired' ? partOf(items) : unread(answer);
    const list = parsed(answer.text);
    const objects = listIn(list, 'items');
    if (objects === undefined) return { is: 'failed', reason: NO_LIST };
    addObserved(items, objects, { ...wanted, kind: resource.kind });
    count += wanted.page;
    next = continueOf(list);
    if (next === '') return { is: 'read', items };
  }
  return partOf(items);
}

const NO_LIST = 'the answer is not a list';

/** Returns a list of an answer, of which Go writes an empty one as null; undefined if the answer has none. */
function listIn(answer: unknown, key: string): readonly unknown[] | undefined {
  const list = at(answer, key);
  if (list === null) return [];
  return Array.isArray(list) ? list : undefined;
}

function continueOf(list: unknown): string {
  const next = at(list, 'metadata', 'continue');
  return typeof next === 'string' ? next : '';
}

function addObserved<T>(
  items: T[],
  objects: readonly unknown[],
  { observe, kind }: Pick<Wanted<T>, 'observe'> & { readonly kind: string },
): void {
  for (const object of objects) {
    const item = observe(object, kind);
    if (item !== undefined) items.push(item);
  }
}

function partOf<T>(items: readonly T[]): Reading<T> {
  return { is: 'read', items, truncated: true };
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
