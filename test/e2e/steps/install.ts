import { join } from 'node:path';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { foldersOf } from '../folders';
import type { LiveObject } from '../kubectl';
import { CLUSTER, FIRST_STATE, TRAFFIC, writeOutput } from '../program';
import { RUN_LABEL } from '../refusals';
import { syncFolders } from '../sync';
import { type Step, StepFailure, until, type Walk } from '../walk';

/** Installs the mesh of docs/start-here.md in an empty cluster, as Argo CD would. */
export const INSTALL: Step = {
  name: 'install',
  summary: 'synthesize the program of docs/start-here.md, apply it as Argo CD does, and wait until the mesh works',
  async run(walk) {
    const objects = await synthAndSync(walk, FIRST_STATE);
    await until(walk, () => anchorGap(walk));
    await until(walk, () => configGap(walk));
    const pods = await walk.cluster.list('pods', { namespace: TRAFFIC });
    const bare = pods.filter((pod) => !hasProxy(pod)).map(({ metadata }) => metadata.name);
    if (bare.length > 0) throw new StepFailure(`pods without a proxy: ${bare.join(', ')}`);
    return { text: `${objects} objects applied; TrustAnchor Stable, LinkerdConfig Ready, ${pods.length} pods meshed` };
  },
};

/** How an output is applied. */
interface Applying {
  /** The field manager that applies it. @default - Argo CD's */
  readonly manager?: string;
  /** Returns the objects to apply instead of an object. @default - the object itself */
  readonly inPlaceOf?: (object: KubernetesObject) => readonly KubernetesObject[];
}

/** Synthesizes the program in a state, and applies its output. Returns the number of objects. */
export async function synthAndSync(
  walk: Walk,
  state: Walk['state'],
  { manager, inPlaceOf }: Applying = {},
): Promise<number> {
  const { cluster, settings, outdir, charts, kubeVersion, note } = walk;
  writeOutput(outdir, settings, state);
  walk.state = state;
  const output = foldersOf({ folder: join(outdir, CLUSTER), charts, kubeVersion });
  const folders =
    inPlaceOf === undefined
      ? output
      : new Map([...output].map(([name, objects]) => [name, objects.flatMap(inPlaceOf)]));
  const objects = [...folders.values()].flat();
  await syncFolders(cluster, folders, { labels: { [RUN_LABEL]: settings.run }, note, manager });
  return objects.length;
}

/** The TrustAnchor of the mesh. */
export const TRUST_ANCHOR = { resource: 'trustanchors.config.linkerd.io', name: 'linkerd' };

/** Returns why the TrustAnchor is not Stable. */
export async function anchorGap({ cluster }: Walk): Promise<string | undefined> {
  const anchor = await cluster.get(TRUST_ANCHOR);
  const phase = anchor?.status?.phase ?? 'unknown';
  return phase === 'Stable' ? undefined : `TrustAnchor: ${phase}`;
}

/** Returns why the LinkerdConfig is not Ready, or its status not current. */
export async function configGap({ cluster }: Walk): Promise<string | undefined> {
  const config = await cluster.get({ resource: 'linkerdconfigs.config.linkerd.io', name: 'linkerd' });
  if (config?.status?.observedGeneration !== config?.metadata.generation) return 'LinkerdConfig: not observed yet';
  const conditions: readonly { type: string; status: string; message?: string }[] = config?.status?.conditions ?? [];
  const [ready, progressing] = ['Ready', 'Progressing'].map((type) => conditions.find((one) => one.type === type));
  if (ready?.status !== 'True') return `LinkerdConfig: not Ready: ${ready?.message ?? 'not seen yet'}`;
  return progressing?.status === 'True' ? `LinkerdConfig: ${progressing.message ?? 'Progressing'}` : undefined;
}

function hasProxy({ spec }: LiveObject): boolean {
  const containers: readonly { name: string }[] = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return containers.some(({ name }) => name === 'linkerd-proxy');
}
