import { cpSync } from 'node:fs';
import { TRAFFIC } from '../program';
import { type Step, StepFailure, until, type Walk } from '../walk';
import { configGap, synthAndSync } from './install';
import { counted, judged } from './traffic';

/** Changes a value of the mesh, so that the operator restarts the workloads that opted in. */
export const RESTART: Step = {
  name: 'restart',
  summary: 'change a value with a LinkerdConfig: the operator restarts only the workloads that opted in',
  async run(walk) {
    const before = await counted(walk);
    const earlier = { server: await podsOf(walk, 'server'), client: await podsOf(walk, 'client') };
    // A later step compares this copy by `diff`.
    cpSync(walk.outdir, `${walk.outdir}.earlier`, { recursive: true });
    await synthAndSync(walk, { ...walk.state, logFormat: 'json' });
    await until(walk, async () => {
      await counted(walk);
      return configGap(walk);
    });
    await until(walk, async () => {
      const old = (await podsOf(walk, 'server')).filter((name) => earlier.server.includes(name));
      await counted(walk);
      return old.length === 0 ? undefined : `${old.length} pods of server have not restarted`;
    });
    const client = await podsOf(walk, 'client');
    if (client.join() !== earlier.client.join()) throw new StepFailure('client restarted, although it did not opt in');
    const format = await logFormatOf(walk);
    if (format !== 'json') throw new StepFailure(`the proxies of server log as ${format}`);
    return judged(walk, before, 'server restarted with the new value, client kept its pod');
  },
};

async function podsOf({ cluster }: Walk, name: string): Promise<readonly string[]> {
  const pods = await cluster.list('pods', { namespace: TRAFFIC, selector: `app=${name}` });
  return pods.map(({ metadata }) => metadata.name).sort();
}

async function logFormatOf({ cluster }: Walk): Promise<string | undefined> {
  const [pod] = await cluster.list('pods', { namespace: TRAFFIC, selector: 'app=server' });
  const containers: readonly { name: string; env?: readonly { name: string; value?: string }[] }[] = [
    ...(pod?.spec.initContainers ?? []),
    ...(pod?.spec.containers ?? []),
  ];
  const proxy = containers.find(({ name }) => name === 'linkerd-proxy');
  return proxy?.env?.find(({ name }) => name === 'LINKERD2_PROXY_LOG_FORMAT')?.value;
}
