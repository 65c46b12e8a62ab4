import { STRANGERS, TRAFFIC } from '../program';
import { unhealthy } from '../sync';
import { type Counts, readTraffic, since, TrafficRecord } from '../traffic';
import { type Step, StepFailure, until, type Walk } from '../walk';
import { synthAndSync } from './install';
import { counted, judged } from './traffic';

/** The number of failed requests after which a client counts as refused. */
const ENOUGH = 10;

/** Allows only the client to reach the server. */
export const POLICY: Step = {
  name: 'policy',
  summary: 'allow one client: other clients are refused, with and without a proxy, and probes of the kubelet succeed',
  async run(walk) {
    const before = await counted(walk);
    await synthAndSync(walk, { ...walk.state, isClosed: true });
    const refused = await Promise.all(['stranger', 'outsider'].map((name) => refusals(walk, name)));
    const server = await walk.cluster.get({ resource: 'deployments.apps', name: 'server', namespace: TRAFFIC });
    const gap = unhealthy(server);
    if (gap !== undefined) throw new StepFailure(`server, whose probes must succeed: ${gap}`);
    return judged(walk, before, 'one client allowed, two refused, probes answered', { refused });
  },
};

async function refusals(walk: Walk, name: string): Promise<Counts> {
  const record = new TrafficRecord();
  const client = { namespace: STRANGERS, name };
  await readTraffic(walk.cluster, client, record);
  let last = record.total;
  let found = last;
  await until(walk, async () => {
    await readTraffic(walk.cluster, client, record);
    found = since(last, record.total);
    const gap = notRefused(found);
    // A successful request was sent before all proxies had the policy.
    if (gap === ALLOWED) last = record.total;
    return gap === undefined ? undefined : `${name}: ${gap}`;
  });
  return found;
}

const ALLOWED = 'some requests got through';

/** Returns why counts do not show that all requests are refused. */
export function notRefused(counts: Counts): string | undefined {
  const all = Object.values(counts);
  if (all.some(({ ok }) => ok > 0)) return ALLOWED;
  const refused = all.map(({ failed }) => Object.values(failed).reduce((sum, count) => sum + count, 0));
  return refused.length > 0 && refused.every((count) => count >= ENOUGH) ? undefined : `fewer than ${ENOUGH} requests`;
}
