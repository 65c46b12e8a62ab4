import { createInformer, type Informer } from '#controller-runtime/cache/informer';
import type { WatchTiming } from '#controller-runtime/cache/reflector-timing';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import { createLogger } from '#controller-runtime/telemetry/logger';
import type { Cluster } from '../cluster/cluster';
import { ref } from '../cluster/objects';
import { type ChangeHistory, recordChanges } from './change-history';
import { type ConfigMap, type RunningInformer, runInformer } from './running-informer';
import type { TcpProxy } from './tcp-proxy';
import { closeConnection, connectionOf } from './test-connection';

/** Production's timing, shortened for tests. */
const IMPATIENT: WatchTiming = {
  backoff: { baseMs: 20, maxMs: 500 },
  inactivityTimeoutMs: 1_500,
  settledMs: 1_000,
  watchSeconds: () => 2,
};

export interface Follower extends RunningInformer {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly informer: Informer<ConfigMap>;
  readonly history: ChangeHistory;
}

/** Options of a follower. */
export interface Followed {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The informer connects to the cluster through this proxy. */
  readonly proxy: TcpProxy;
  /** @default IMPATIENT */
  readonly timing?: WatchTiming;
}

/** Starts an informer on the ConfigMaps of a namespace through a proxy, and waits until it is synced. */
export async function follow({ cluster, namespace, proxy, timing = IMPATIENT }: Followed): Promise<Follower> {
  const connection = connectionOf(cluster.kubeconfig(), proxy.url);
  const client = createKubeClient(connection, { fieldManager: 'tester' });
  const log = createLogger({ write: () => undefined });
  const informer = createInformer<ConfigMap>({ client, log, timing }, { resource: CONFIG_MAPS, namespace });
  const history = recordChanges(informer);
  const run = runInformer(informer);
  await informer.whenSynced(AbortSignal.timeout(20_000));
  return {
    cluster,
    namespace,
    informer,
    history,
    stop: async () => {
      await run.stop();
      closeConnection(connection);
    },
  };
}

const versions = (
  objects: readonly { readonly metadata: { readonly name?: string; readonly resourceVersion?: string } }[],
) => new Map(objects.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));

/** Waits until the informer has exactly the API server's objects. */
export const converged = ({ cluster, namespace, informer }: Follower) =>
  cluster.eventually(
    async () => {
      const items = await cluster.list('v1', 'ConfigMap', { namespace });
      expect(versions(informer.list())).toEqual(versions(items));
    },
    { timeoutMs: 40_000, intervalMs: 200 },
  );

export const configMap = (namespace: string, name: string, v: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { v: String(v) },
});

/** Creates ConfigMaps, changes each, deletes each third, and creates each sixth again. */
export async function write(cluster: Cluster, namespace: string, count: number): Promise<void> {
  const one = async (index: number): Promise<void> => {
    const name = `cm-${index}`;
    await cluster.create(configMap(namespace, name, 0));
    await cluster.patch(ref('v1', 'ConfigMap', name, namespace), { data: { v: '1' } });
    if (index % 3 === 0) await cluster.delete(ref('v1', 'ConfigMap', name, namespace));
    if (index % 6 === 0) await cluster.create(configMap(namespace, name, 2));
  };
  const next = Array.from({ length: count }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of next) await one(index);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
