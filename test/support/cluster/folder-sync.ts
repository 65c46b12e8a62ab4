import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client';
import type { KubeObject } from './objects';
import { ApiError } from './rest';
import { rolloutGap } from './rollout';

/** Options of the sync of a folder. */
export interface FolderSync {
  /** Orders the objects of one wave. */
  readonly shuffled: (objects: readonly KubeObject[]) => readonly KubeObject[];
  /** The wait before the first wave. */
  readonly delayMs: number;
  /** Ends the sync. */
  readonly signal: AbortSignal;
}

const WAVE = 'argocd.argoproj.io/sync-wave';
const ROLLED_OUT = ['DaemonSet', 'Deployment', 'StatefulSet'];

/** Between two waves, Argo CD waits two seconds (ARGOCD_SYNC_WAVE_DELAY), and then reads the cluster again. */
const WAVE_DELAY_MS = 2_500;
const RETRY_MS = 1_000;

/** The answers for a namespace that does not exist yet, and for a webhook that does not answer yet. */
const PASSING = [404, 500];

/**
 * Applies a folder as Argo CD does: each wave when the previous one is healthy, and all waves again after a refusal.
 */
export async function syncFolder(client: Client, objects: readonly KubeObject[], how: FolderSync): Promise<void> {
  await sleep(how.delayMs, undefined, how);
  for (;;) {
    const refused = await syncOnce(client, objects, how);
    if (!refused) return;
    await sleep(RETRY_MS, undefined, how);
  }
}

async function syncOnce(
  client: Client,
  objects: readonly KubeObject[],
  { shuffled, signal }: FolderSync,
): Promise<boolean> {
  const waves = Map.groupBy(objects, ({ metadata }) => Number(metadata.annotations?.[WAVE] ?? 0));
  for (const [index, wave] of [...waves.keys()].sort((a, b) => a - b).entries()) {
    if (index > 0) await sleep(WAVE_DELAY_MS, undefined, { signal });
    const inWave = shuffled(waves.get(wave) ?? []);
    // Argo CD applies the namespaces of a wave first.
    const [namespaces, others] = [true, false].map((first) =>
      inWave.filter(({ kind }) => (kind === 'Namespace') === first),
    );
    let refused = false;
    for (const object of [...(namespaces ?? []), ...(others ?? [])])
      refused = !(await applied(client, object)) || refused;
    if (refused) return true;
    for (const object of inWave) await healthy(client, object, signal);
  }
  return false;
}

async function applied(client: Client, object: KubeObject): Promise<boolean> {
  try {
    await client.apply(object, { fieldManager: 'argocd-controller', force: true });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && PASSING.includes(error.code))) throw error;
    return false;
  }
}

async function healthy(client: Client, object: KubeObject, signal: AbortSignal): Promise<void> {
  while (ROLLED_OUT.includes(object.kind) && rolloutGap(await client.get(object)) !== undefined) {
    await sleep(200, undefined, { signal });
  }
}
