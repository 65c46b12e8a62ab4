/** All that etcd held at one time: keys and values as it tells them, in base64. */
export type Snapshot = Readonly<Record<string, string>>;

/** The part of etcd's HTTP API that is used here. */
interface Range {
  readonly kvs?: readonly { readonly key: string; readonly value?: string }[];
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (text: string): string => Buffer.from(text, 'base64').toString();

/** All keys of Kubernetes: the end of a range by prefix is the prefix with its last character raised. */
const ALL = { key: encoded('/registry/'), range_end: encoded('/registry0') };

/** The keys that a control plane writes all the time by itself, and the accounts by which its controllers work. */
const RENEWED =
  /^\/registry\/(?:leases\/kube-(?:system|node-lease)|minions|masterleases|serviceaccounts\/kube-system)\//;

/** Reads all there is. */
export async function readSnapshot(port: number): Promise<Snapshot> {
  const { kvs = [] } = await ask<Range>(port, 'kv/range', ALL);
  return Object.fromEntries(kvs.map(({ key, value = '' }) => [key, value]));
}

/**
 * Makes all that is different from a snapshot as it was, and returns the number of keys that this took. Whoever watches is
 * told as of any other change, so a running control plane follows; what it writes meanwhile is left to the next call.
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
  // Each a revision of its own, as the API server writes: whoever lists at one and watches from it misses none.
  for (const { method, body } of changes) await ask(port, method, body);
  return changes.length;
}

async function ask<Answer>(port: number, method: string, body: object): Promise<Answer> {
  const url = `http://127.0.0.1:${port}/v3/${method}`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
