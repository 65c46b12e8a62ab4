import type { LiveObject } from '../kubectl';
import { TRAFFIC } from '../program';
import { type Counts, failures, failuresText, readTraffic, since, successes } from '../traffic';
import { type Step, StepFailure, until, type Walk } from '../walk';

const CLIENT = { namespace: TRAFFIC, name: 'client' };

/** The number of requests of each kind after which the mesh counts as working. */
const ENOUGH = 100;

/** Counts requests until there are enough of each kind. */
export const TRAFFIC_STEP: Step = {
  name: 'traffic',
  summary: 'send requests over kept, fresh and opaque connections, with mTLS, and count them',
  async run(walk) {
    const before = await counted(walk);
    await enough(walk, before);
    const [ours, destinations] = await Promise.all([
      walk.cluster.list('pods', { namespace: TRAFFIC }),
      walk.cluster.list('pods', {
        namespace: 'linkerd',
        selector: 'linkerd.io/control-plane-component=destination',
      }),
    ]);
    const early = startedEarly(ours, destinations);
    const text = `each HTTP request with the identity of the client; ${early.length} pods started before linkerd-destination answered`;
    return judged(walk, before, text, { early });
  },
};

/**
 * Returns the names of pods that started before any linkerd-destination was ready. DNS returns no endpoint of it to
 * their proxies, and CoreDNS caches this answer for up to 30 s.
 */
export function startedEarly(pods: readonly LiveObject[], destinations: readonly LiveObject[]): readonly string[] {
  const ready = destinations.flatMap(({ status }) =>
    (status?.conditions ?? []).flatMap((one: { type?: string; status?: string; lastTransitionTime?: string }) =>
      one.type === 'Ready' && one.status === 'True' ? [Date.parse(one.lastTransitionTime ?? '')] : [],
    ),
  );
  const answered = Math.min(...ready);
  return pods
    .filter(({ status }) => Date.parse(status?.startTime ?? '') < answered)
    .map(({ metadata }) => metadata.name);
}

/** Waits until there are enough requests of each kind since earlier counts. */
export async function enough(walk: Walk, before: Counts): Promise<void> {
  await until(walk, async () => {
    const few = Object.entries(since(before, await counted(walk))).filter(([, { ok }]) => ok < ENOUGH);
    return few.length === 0 && successes(walk.traffic.total) > 0 ? undefined : `fewer than ${ENOUGH} requests`;
  });
}

/** Returns the client's counts so far. */
export async function counted({ cluster, traffic }: Walk): Promise<Counts> {
  await readTraffic(cluster, CLIENT, traffic);
  return traffic.total;
}

/** Returns the result of a step with the client's counts since its beginning. Throws if a request failed. */
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
