import type { ClusterIntent } from '../lib/review/status/intent';
import { APPLICATIONS, LISTS, type ListedResource, observedApplication } from '../lib/review/status/lists';
import type {
  Observation,
  ObservedApplication,
  ObservedItem,
  ObservedKind,
  Reading,
} from '../lib/review/status/observation';
import { AUDITED, auditedIn, queryPath, SUCCESS_RATE, successRateIn } from '../lib/review/status/prometheus';
import { type Answer, getRaw, type KubectlOptions } from './kubectl';

/** How to read a cluster. */
export interface ReadOptions extends KubectlOptions {
  readonly context: string;
  /** The longest time for all of a cluster, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of pages of one list. */
  readonly maxPages: number;
}

/** Number of objects of one page. */
const PAGE = 250;

/** The versions that a cluster prefers, by API group. */
type Versions = ReadonlyMap<string, string>;

/** A cluster while it is being read. */
interface Reader extends ReadOptions {
  readonly signal: AbortSignal;
  readonly versions: Versions;
}

/** Reads a cluster: all lists of an observation, page by page, keeping of each object only what rules need. */
export async function observeCluster(options: ReadOptions, intent: ClusterIntent): Promise<Observation> {
  const meshNamespaces = new Set(intent.meshNamespaces);
  const prometheus = intent.ring?.health?.prometheus;
  const kinds = Object.keys(LISTS) as ObservedKind[];
  const signal = AbortSignal.timeout(options.timeoutMs);
  const versions = await versionsOf({ ...options, signal });
  if (typeof versions === 'string') return { ...nothing(kinds), unreachable: versions };
  const reader: Reader = { ...options, signal, versions };
  const seen: Partial<Record<ObservedKind, Reading<unknown>>> = {};
  for (const kind of kinds) seen[kind] = await readKind(kind, reader, meshNamespaces);
  return { ...(seen as Observation), ...(prometheus !== undefined && (await measure(prometheus, reader))) };
}

/** Asks the Prometheus of a cluster, by way of its API server. */
async function measure(prometheus: string, reader: Reader): Promise<Pick<Observation, 'successRate' | 'audited'>> {
  const ask = async (query: string): Promise<Answer> => {
    const path = queryPath(prometheus, query);
    if (path === undefined) return { ok: false, reason: `${prometheus} is not the Service of a Prometheus` };
    return getRaw({ context: reader.context, path }, reader);
  };
  const rate = await ask(SUCCESS_RATE);
  if (!rate.ok) return { successRate: { unknown: rate.reason } };
  const audited = await ask(AUDITED);
  return {
    successRate: successRateIn(parsed(rate.text)),
    ...(audited.ok && { audited: auditedIn(parsed(audited.text)) }),
  };
}

/** Reads the Applications of Argo CD in a namespace. Returns the reason if it cannot. */
export async function observeApplications(
  options: ReadOptions,
  namespace: string,
): Promise<readonly ObservedApplication[] | string> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  const versions = await versionsOf({ ...options, signal });
  if (typeof versions === 'string') return versions;
  const reading = await readList(
    APPLICATIONS,
    { ...options, signal, versions },
    {
      namespace,
      observe: observedApplication,
    },
  );
  if (reading.is === 'read') return reading.truncated ? 'there are more than --max-pages permits' : reading.items;
  if (reading.is === 'forbidden') return `you may not list applications in the namespace ${namespace}`;
  return reading.is === 'absent' ? 'the cluster has no Argo CD' : reading.reason;
}

function nothing(kinds: readonly ObservedKind[]): Observation {
  return Object.fromEntries(kinds.map((kind) => [kind, { is: 'absent' }])) as unknown as Observation;
}

/** Returns the versions of all API groups, or why the cluster does not answer. */
async function versionsOf(options: ReadOptions & { readonly signal: AbortSignal }): Promise<Versions | string> {
  const answer = await getRaw({ context: options.context, path: '/apis' }, options);
  if (!answer.ok) return answer.reason;
  const list = parsed(answer.text) as {
    readonly groups?: readonly { readonly name: string; readonly preferredVersion: { readonly version: string } }[];
  };
  return new Map([['', 'v1'], ...(list?.groups ?? []).map((one) => [one.name, one.preferredVersion.version] as const)]);
}

async function readKind<K extends ObservedKind>(
  kind: K,
  reader: Reader,
  meshNamespaces: ReadonlySet<string>,
): Promise<Reading<ObservedItem<K>>> {
  const { resources, observe, ofMesh } = LISTS[kind];
  const items: ObservedItem<K>[] = [];
  let truncated = false;
  let isRead = false;
  for (const resource of resources) {
    const reading = await readList(resource, reader, {
      observe: (object) => {
        const item = observe(object, resource.kind);
        return ofMesh && !meshNamespaces.has((item as { readonly namespace?: string })?.namespace ?? '')
          ? undefined
          : item;
      },
    });
    if (reading.is === 'forbidden' || reading.is === 'failed') return reading;
    if (reading.is === 'absent') continue;
    isRead = true;
    truncated ||= reading.truncated === true;
    for (const item of reading.items) items.push(item);
  }
  return isRead ? { is: 'read', items, ...(truncated && { truncated }) } : { is: 'absent' };
}

/** The objects of a list to read, and what to keep of each. */
interface Wanted<T> {
  /** All namespaces if absent. */
  readonly namespace?: string;
  readonly observe: (object: unknown) => T | undefined;
}

async function readList<T>(resource: ListedResource, reader: Reader, wanted: Wanted<T>): Promise<Reading<T>> {
  const version = reader.versions.get(resource.group);
  if (version === undefined) return { is: 'absent' };
  const items: T[] = [];
  let next = '';
  for (let page = 0; page < reader.maxPages; page++) {
    const path = pathOf(resource, version, { namespace: wanted.namespace, next });
    const answer = await getRaw({ context: reader.context, path }, reader);
    // The API server forgets old lists: what came until then is kept.
    if (!answer.ok) return page > 0 && answer.status === 'Expired' ? partOf(items) : unread(answer);
    const list = parsed(answer.text) as ObjectList | undefined;
    if (!Array.isArray(list?.items)) return { is: 'failed', reason: 'the answer is not a list' };
    addObserved(items, list.items, wanted);
    next = list.metadata?.continue ?? '';
    if (next === '') return { is: 'read', items };
  }
  return partOf(items);
}

function addObserved<T>(items: T[], objects: readonly unknown[], { observe }: Wanted<T>): void {
  for (const object of objects) {
    const item = observe(object);
    if (item !== undefined) items.push(item);
  }
}

function partOf<T>(items: readonly T[]): Reading<T> {
  return { is: 'read', items, truncated: true };
}

function pathOf(
  { group, resource, labelSelector, fieldSelector }: ListedResource,
  version: string,
  { namespace, next }: { readonly namespace: string | undefined; readonly next: string },
): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const query = new URLSearchParams({
    limit: `${PAGE}`,
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
    ...(next !== '' && { continue: next }),
  });
  return `${root}${place}/${resource}?${query}`;
}

interface ObjectList {
  readonly metadata?: { readonly continue?: string };
  readonly items: readonly unknown[];
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
