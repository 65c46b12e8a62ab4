import { setTimeout as sleep } from 'node:timers/promises';
import { pick, seededRandom } from '#anchor/check/random';
import type { Client } from '../cluster/client';
import { isPassing } from './worker';

/** The natural churn of a test. */
export interface ChurnOptions {
  /** The namespaces whose pods and Deployments meet it. */
  readonly namespaces: readonly string[];
  readonly seed: number;
  /** The time between two events. @default 500 */
  readonly intervalMs?: number;
  /** The part of events that restart a Deployment; the others delete a pod. @default 0.2 */
  readonly restarts?: number;
}

/** Churn that goes on until it is stopped. */
export interface Churn {
  /** In order: `delete shop/web-1`, `restart shop/web`. */
  readonly events: readonly string[];
  stop(): Promise<void>;
}

/**
 * Deletes pods and restarts Deployments of some namespaces. The choices follow from the seed and from what is there,
 * in the order of names; names of pods are made up by Kubernetes, so that two runs are alike but not the same.
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
      // Nobody brings a pod back that no controller has made.
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
