import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { matchesSelector } from '#base/label-selector';
import { type TrustManagerVersion, trustManagerRelease } from '#linkerd/releases/cert-manager';
import type { Client } from '../cluster/client';
import type { KubeObject } from '../cluster/objects';
import { type Condition, conditionOf, controllerReference, withCondition } from './cert-manager/resources';
import { type Mirror, startMirror } from './mirror';
import { type Built, build } from './trust-manager/build-bundle';
import { isPassing, startWorker } from './worker';

/** Options of a fake trust-manager. */
export interface TrustManagerOptions {
  /** @default 'v0.24.0' */
  readonly version?: TrustManagerVersion;
  /** The trust namespace, which contains all sources. @default 'cert-manager' */
  readonly trustNamespace?: string;
  /** The time from a change of a source to the change of the ConfigMaps. @default 0 */
  readonly lagMs?: number;
}

/**
 * Simulates trust-manager for the Bundles of a cluster, with the sources secret, configMap and inLine, and the target
 * configMap. A Bundle that cannot be built leaves its ConfigMaps unchanged.
 */
export interface FakeTrustManager {
  pause(): Promise<void>;
  resume(): void;
  setLag(ms: number): void;
  stop(): Promise<void>;
}

const API_VERSION = 'trust.cert-manager.io/v1alpha1';
const FIELD_MANAGER = 'trust-manager';
const BUNDLE_LABEL = 'trust.cert-manager.io/bundle';
const HASH_ANNOTATION = 'trust.cert-manager.io/hash';

/** Starts a fake trust-manager, before or after the CRD of Bundles is applied. */
export function startFakeTrustManager(client: Client, options: TrustManagerOptions = {}): FakeTrustManager {
  const { trustNamespace = 'cert-manager', version = 'v0.24.0' } = options;
  const { takesEmptySelectors } = trustManagerRelease(version);
  const mirror = startMirror(client, [
    { apiVersion: API_VERSION, kind: 'Bundle' },
    ...['Secret', 'ConfigMap', 'Namespace'].map((kind) => ({ apiVersion: 'v1', kind })),
  ]);
  const state = { lagMs: options.lagMs ?? 0, isChanged: true };
  /** Writes and deletes ConfigMaps. Returns false if a transient error left work to do. */
  const round = async (): Promise<boolean> => {
    let isDone = true;
    const bundles = mirror.list('Bundle');
    const seen = bundles.map((bundle) => ({
      bundle,
      built: build(bundle, mirror, { namespace: trustNamespace, takesEmptySelectors }),
    }));
    // The bundles built here are written after the lag. Changes during the lag wait for the next round.
    if (state.lagMs > 0 && seen.some(({ bundle, built }) => !isWritten(mirror, bundle, built)))
      await sleep(state.lagMs);
    for (const { bundle, built } of seen) {
      try {
        await write(client, mirror, { bundle, built });
      } catch (error) {
        if (!isPassing(error)) throw error;
        isDone = false;
      }
    }
    return (await cleanUp(client, mirror, bundles)) && isDone;
  };
  const worker = startWorker(async () => {
    await mirror.filled;
    if (!state.isChanged) return;
    state.isChanged = false;
    if (!(await round())) state.isChanged = true;
  });
  mirror.onChange(() => {
    state.isChanged = true;
    worker.wake();
  });
  return {
    pause: () => worker.pause(),
    resume: () => worker.resume(),
    setLag: (ms) => {
      state.lagMs = ms;
    },
    stop: async () => {
      // The mirror stops first, because a round may wait until the mirror is filled.
      mirror.stop();
      await worker.stop();
    },
  };
}

function targetsOf({ spec }: KubeObject, mirror: Mirror): readonly string[] {
  if (spec.target?.configMap === undefined) return [];
  return mirror
    .list('Namespace')
    .filter(({ metadata, status }) => status?.phase !== 'Terminating' && metadata.deletionTimestamp === undefined)
    .filter(({ metadata }) => matchesSelector(spec.target.namespaceSelector, metadata.labels, 'everything'))
    .map(({ metadata }) => metadata.name ?? '');
}

interface Sync {
  readonly bundle: KubeObject;
  readonly built: Built;
}

function isWritten(mirror: Mirror, bundle: KubeObject, built: Built): boolean {
  if (!('text' in built)) return true;
  return targetsOf(bundle, mirror).every((namespace) => isTargetWritten(mirror, { bundle, built }, namespace));
}

function isTargetWritten(mirror: Mirror, { bundle, built }: Sync, namespace: string): boolean {
  const found = mirror.find('ConfigMap', bundle.metadata.name ?? '', namespace);
  if (found === undefined || !('text' in built)) return false;
  const { labels, annotations, ownerReferences } = found.metadata;
  return (
    ownerReferences?.some(({ uid, controller }) => uid === bundle.metadata.uid && controller) === true &&
    labels?.[BUNDLE_LABEL] === bundle.metadata.name &&
    annotations?.[HASH_ANNOTATION] === hashOf(bundle, built.text) &&
    // trust-manager checks the owner of the key. A client that changes the text becomes its owner.
    found.data?.[bundle.spec.target.configMap.key] === built.text
  );
}

function hashOf({ spec }: KubeObject, text: string): string {
  const { annotations = {}, labels = {} } = spec.target.configMap.metadata ?? {};
  const hash = createHash('sha256').update(text);
  for (const map of [annotations, labels]) {
    for (const [key, value] of Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      hash.update(`${key}${value}`);
  }
  return hash.digest('hex');
}

async function write(client: Client, mirror: Mirror, { bundle, built }: Sync): Promise<void> {
  if (!('text' in built)) return setSynced(client, bundle, { status: 'False', ...built });
  const { name = '' } = bundle.metadata;
  const { key, metadata: { annotations = {}, labels = {} } = {} } = bundle.spec.target.configMap;
  for (const namespace of targetsOf(bundle, mirror)) {
    if (isTargetWritten(mirror, { bundle, built }, namespace)) continue;
    await client.apply(
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name,
          namespace,
          labels: { ...labels, [BUNDLE_LABEL]: name },
          annotations: { ...annotations, [HASH_ANNOTATION]: hashOf(bundle, built.text) },
          ownerReferences: [controllerReference(bundle)],
        },
        data: { [key]: built.text },
      },
      { fieldManager: FIELD_MANAGER, force: true },
    );
  }
  await setSynced(client, bundle, {
    status: 'True',
    reason: 'Synced',
    message: messageOf(bundle.spec.target.namespaceSelector?.matchLabels),
  });
}

function messageOf(labels: Readonly<Record<string, string>> = {}): string {
  const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return selector.length === 0
    ? 'Successfully synced Bundle to all namespaces'
    : `Successfully synced Bundle to namespaces that match this label selector: ${selector.sort().join(',')}`;
}

async function setSynced(
  client: Client,
  bundle: KubeObject,
  state: Pick<Condition, 'status' | 'reason' | 'message'>,
): Promise<void> {
  const found = conditionOf(bundle, 'Synced');
  const observedGeneration = bundle.metadata.generation;
  const agrees =
    found?.status === state.status &&
    found.reason === state.reason &&
    found.message === state.message &&
    found.observedGeneration === observedGeneration;
  if (agrees) return;
  const live = await client.find(bundle);
  if (live === undefined) return;
  const conditions = withCondition(live, { type: 'Synced', ...state, observedGeneration });
  const { apiVersion, kind, metadata } = live;
  await client.apply(
    { apiVersion, kind, metadata: { name: metadata.name }, status: { conditions } },
    { subresource: 'status', fieldManager: FIELD_MANAGER, force: true },
  );
}

/**
 * Deletes ConfigMaps of namespaces that are no longer selected, and of deleted Bundles, even if these orphaned them.
 * Returns false if a deletion failed with a transient error.
 */
async function cleanUp(client: Client, mirror: Mirror, bundles: readonly KubeObject[]): Promise<boolean> {
  let isClean = true;
  const kept = new Set(
    bundles.flatMap((bundle) => targetsOf(bundle, mirror).map((namespace) => `${namespace}/${bundle.metadata.name}`)),
  );
  for (const { metadata, ...object } of mirror.list('ConfigMap')) {
    const isOurs = metadata.labels?.[BUNDLE_LABEL] === metadata.name;
    if (!isOurs || metadata.deletionTimestamp || kept.has(`${metadata.namespace}/${metadata.name}`)) continue;
    try {
      await client.delete({ apiVersion: object.apiVersion, kind: object.kind, metadata });
    } catch (error) {
      if (!isPassing(error)) throw error;
      isClean = false;
    }
  }
  return isClean;
}
