import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../cluster/client';
import type { KubeObject } from '../cluster/objects';
import { startWorker } from './worker';

/** The differences of one self-healer from another. */
export interface SelfHealerOptions {
  /** @default 1,000 */
  readonly intervalMs?: number;
  /** @default 'argocd-controller' */
  readonly fieldManager?: string;
}

/** Somebody who holds a cluster to what is in Git, as Argo CD does with selfHeal and without prune. */
export interface SelfHealer {
  /** The number of times that it has applied all of it. */
  rounds(): number;
  /** The refusals of the API server: one for each object and message. */
  refusals(): readonly string[];
  /** The objects that it had to change again after it had once applied them, `kind/name`, and how often. */
  readonly healed: ReadonlyMap<string, number>;
  /** From now on, other manifests. */
  follow(manifests: readonly KubeObject[]): void;
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

/** Applies manifests by force, again and again. What it does not list it leaves alone. */
export function startSelfHealer(
  client: Client,
  manifests: readonly KubeObject[],
  options: SelfHealerOptions = {},
): SelfHealer {
  const { intervalMs = 1_000, fieldManager = 'argocd-controller' } = options;
  const refusals = new Set<string>();
  const healed = new Map<string, number>();
  const known = new Set<string>();
  let wanted = manifests;
  let rounds = 0;
  const worker = startWorker(
    async () => {
      for (const manifest of wanted) {
        const name = `${manifest.kind}/${manifest.metadata.name}`;
        try {
          const before = await client.find(manifest);
          const applied = await client.apply(manifest, { fieldManager, force: true });
          if (!isDeepStrictEqual(desired(before), desired(applied)) && known.has(name))
            healed.set(name, (healed.get(name) ?? 0) + 1);
          known.add(name);
        } catch (error) {
          refusals.add(`${name}: ${(error as Error).message}`);
        }
      }
      rounds += 1;
    },
    { idleMs: intervalMs },
  );
  return {
    rounds: () => rounds,
    refusals: () => [...refusals],
    healed,
    follow: (next) => {
      wanted = next;
      known.clear();
      worker.wake();
    },
    pause: () => worker.pause(),
    resume: () => worker.resume(),
    stop: () => worker.stop(),
  };
}

/** An object without what its controller writes, which may change between two looks without anybody's healing. */
function desired(object: KubeObject | undefined): unknown {
  if (object === undefined) return undefined;
  const { status: _, metadata, ...rest } = object;
  const { resourceVersion: _version, managedFields: _fields, generation: _generation, ...kept } = metadata;
  return { ...rest, metadata: kept };
}
