import { setTimeout as sleep } from 'node:timers/promises';
import { pick, seededRandom } from '#anchor/check/random';
import type { Client } from '../cluster/client';
import { isPassing } from './worker';

/** Options of the churn of a test. */
export interface ChurnOptions {
  /** The namespaces whose pods are deleted and Deployments restarted. */
  readonly namespaces: readonly string[];
  readonly seed: number;
  /** The time between two events. @default 500 */
  readonly intervalMs?: number;
  /** The share of events that restart a Deployment; the others delete a pod. @default 0.2 */
  readonly restarts?: number;
}

/** Churn that runs until it is stopped. */
export interface Churn {
  /** The events in order: `delete shop/web-1`, `restart shop/web`. */
  readonly events: readonly string[];
  stop(): Promise<void>;
}

/**
 * Deletes pods and restarts Deployments of some namespaces. The seed chooses among the objects, sorted by name.
 * Kubernetes generates names of pods, so two runs with the same seed can differ.
 */
export function startChurn(client: Client, options: ChurnOptions): Churn {
  const { namespaces, seed, intervalMs = 500, restarts = 0.2 } = options;
  const random = seededRandom(seed);
  const events: string[] = [];
  let stopped = false;
  const once = async (): Promise<void> => {
    const isRestart = random() < restarts;
    const namespace = pick(random, namespaces);
    if (namespace === undefined) return;
    const [apiVersion, kind] = isRestart ? ['apps/v1', 'Deployment'] : ['v1', 'Pod'];
    const objects = (await client.list(apiVersion, kind, { namespace }))
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      // Only a pod with an owner is created again.
      .filter(({ metadata }) => isRestart || metadata.ownerReferences !== undefined)
      .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
    const chosen = pick(random, objects);
    if (chosen === undefined) return;
    events.push(`${isRestart ? 'restart' : 'delete'} ${namespace}/${chosen.metadata.name}`);
    if (!isRestart) return client.delete(chosen);
    const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
    await client.patch(
      chosen,
      { spec: { template: { metadata: { annotations } } } },
      { fieldManager: 'kubectl-rollout' },
    );
  };
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await once().catch((error) => {
        if (!isPassing(error)) throw error;
      });
      await sleep(intervalMs);
    }
  };
  const running = loop();
  return {
    events,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
