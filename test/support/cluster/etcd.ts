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

/** The keys that a control plane writes all the time by itself. */
const RENEWED = /^\/registry\/(?:leases\/kube-(?:system|node-lease)|minions|masterleases)\//;

/** The most operations that etcd takes in one transaction. */
const MOST_OPERATIONS = 128;

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
  const operations = [
    ...Object.keys(now)
      .filter((key) => snapshot[key] === undefined && isKept(key))
      .map((key) => ({ request_delete_range: { key } })),
    ...Object.entries(snapshot)
      .filter(([key, value]) => now[key] !== value && isKept(key))
      .map(([key, value]) => ({ request_put: { key, value } })),
  ];
  for (let from = 0; from < operations.length; from += MOST_OPERATIONS) {
    await ask(port, 'kv/txn', { success: operations.slice(from, from + MOST_OPERATIONS) });
  }
  return operations.length;
}

async function ask<Answer>(port: number, method: string, body: object): Promise<Answer> {
  const url = `http://127.0.0.1:${port}/v3/${method}`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
