/** The content of etcd at one time: keys and values in base64, as its API returns them. */
export type Snapshot = Readonly<Record<string, string>>;

/** The answer of etcd's `kv/range`. */
interface Range {
  readonly kvs?: readonly { readonly key: string; readonly value?: string }[];
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (text: string): string => Buffer.from(text, 'base64').toString();

/** All keys of Kubernetes. The end of a prefix range is the prefix with its last character incremented. */
const ALL = { key: encoded('/registry/'), range_end: encoded('/registry0') };

/** The keys that a control plane itself keeps writing, and the ServiceAccounts of its controllers. */
const RENEWED =
  /^\/registry\/(?:leases\/kube-(?:system|node-lease)|minions|masterleases|serviceaccounts\/kube-system)\//;

/** Reads all keys of Kubernetes. */
export async function readSnapshot(port: number): Promise<Snapshot> {
  const { kvs = [] } = await ask<Range>(port, 'kv/range', ALL);
  return Object.fromEntries(kvs.map(({ key, value = '' }) => [key, value]));
}

/**
 * Restores a snapshot, and returns the number of changed keys. Watches report these changes, too, so a running control
 * plane follows. Keys that it writes meanwhile are left to the next call.
 */
export async function writeSnapshot(port: number, snapshot: Snapshot): Promise<number> {
  const now = await readSnapshot(port);
  const isKept = (key: string): boolean => !RENEWED.test(decoded(key));
  const changes = [
    ...Object.keys(now)
      .filter((key) => snapshot[key] === undefined && isKept(key))
      .map((key) => ({ method: 'kv/deleterange', body: { key } })),
    ...Object.entries(snapshot)
      .filter(([key, value]) => now[key] !== value && isKept(key))
      .map(([key, value]) => ({ method: 'kv/put', body: { key, value } })),
  ];
  // Each change is a separate revision, as the API server writes: a watch from a listed revision then misses none.
  for (const { method, body } of changes) await ask(port, method, body);
  return changes.length;
}

async function ask<Answer>(port: number, method: string, body: object): Promise<Answer> {
  const url = `http://127.0.0.1:${port}/v3/${method}`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
