import { TRAFFIC } from '../program';
import { type Counts, failures, failuresText, readTraffic, since, successes } from '../traffic';
import { type Step, StepFailure, until, type Walk } from '../walk';

/** The client whose requests are counted from here to the end. */
const CLIENT = { namespace: TRAFFIC, name: 'client' };

/** The number of requests of each kind after which the mesh counts as working. */
const ENOUGH = 100;

/** Counts requests until there are some of each kind. */
export const TRAFFIC_STEP: Step = {
  name: 'traffic',
  summary: 'send requests over kept, fresh and opaque connections, with mTLS, and count them',
  async run(walk) {
    const before = await counted(walk);
    await enough(walk, before);
    return judged(walk, before, 'each with the identity of the client, where HTTP shows it');
  },
};

/** Waits until there are some requests of each kind since earlier ones. */
export async function enough(walk: Walk, before: Counts): Promise<void> {
  await until(walk, async () => {
    const few = Object.entries(since(before, await counted(walk))).filter(([, { ok }]) => ok < ENOUGH);
    return few.length === 0 && successes(walk.traffic.total) > 0 ? undefined : `fewer than ${ENOUGH} requests`;
  });
}

/** Returns what the client has counted until now. */
export async function counted({ cluster, traffic }: Walk): Promise<Counts> {
  await readTraffic(cluster, CLIENT, traffic);
  return traffic.total;
}

/** Returns the result of a step by what the client counted since its beginning: no request may have failed. */
export async function judged(walk: Walk, before: Counts, text: string, facts: Readonly<Record<string, unknown>> = {}) {
  const counts = since(before, await counted(walk));
  const result = {
    text: `${text}; ${successes(counts)} requests, failed: ${failuresText(counts)}`,
    facts,
    traffic: counts,
  };
  if (failures(counts) > 0) {
    throw Object.assign(new StepFailure(`${result.text}\n  ${walk.traffic.recent.slice(-5).join('\n  ')}`), { result });
  }
  return result;
}
