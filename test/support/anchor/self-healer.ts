import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../cluster/client';
import type { KubeObject } from '../cluster/objects';
import { startWorker } from './worker';

/** Options of a self-healer. */
export interface SelfHealerOptions {
  /** @default 1,000 */
  readonly intervalMs?: number;
  /** @default 'argocd-controller' */
  readonly fieldManager?: string;
}

/** Simulates Argo CD with selfHeal and without prune: it resets objects to their manifests. */
export interface SelfHealer {
  /** How often it has applied all manifests. */
  rounds(): number;
  /** The API server's refusals: one for each object and message. */
  refusals(): readonly string[];
  /** How often it reset an object that it had applied before, by `kind/name`. */
  readonly healed: ReadonlyMap<string, number>;
  /** Replaces the manifests. */
  follow(manifests: readonly KubeObject[]): void;
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

/** Applies manifests with force at an interval. It does not change other objects. */
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

/** An object without its status and managed metadata, which change without a reset. */
function desired(object: KubeObject | undefined): unknown {
  if (object === undefined) return undefined;
  const { status: _, metadata, ...rest } = object;
  const { resourceVersion: _version, managedFields: _fields, generation: _generation, ...kept } = metadata;
  return { ...rest, metadata: kept };
}
