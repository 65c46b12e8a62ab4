import { TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import { valueAt } from '#base/values';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import type { Manager } from '#controller-runtime/process/manager';
import type { ServerClock } from '#controller-runtime/timing/server-clock';
import { CONFIG_DEFAULTS } from '../../api/linkerd-config';
import { VALUES_KEY } from '../config/objects/linkerd-config';
import { readValues } from '../config/values/read-values';
import { INSTALLED_ISSUER } from '../pki/issued-chain';
import { type AnchorPlaces, anchorCaches } from './caches/anchor-caches';
import { laggardRestarts } from './laggards/restart-laggards';
import { anchorMetrics } from './metrics';
import { workloadOfPod } from './objects/meshed-pod';
import type { ConfigMap } from './objects/trust-anchor';
import { issuerEndReader } from './observe/issuer-ends';
import { outsideReader } from './observe/outside';
import { createProber } from './probe/prober';
import { type ReconcileMemory, reconcileAnchor } from './reconcile';

/** Milliseconds between two observations: changes meanwhile are handled together. */
const GAP_MS = 1_000;

/** The part of the operator that manages the trust anchor. */
export interface TrustAnchorPart {
  /** Returns the number of meshed workloads; undefined before this process has read them. */
  readonly countWorkloads: () => number | undefined;
}

/** Adds the controller of the trust anchor. */
export function setUpTrustAnchor(manager: Manager, places: AnchorPlaces, serversClock: ServerClock): TrustAnchorPart {
  const { client, events, metrics } = manager;
  const log = manager.log.with({ part: 'trust-anchor' });
  const caches = anchorCaches(manager, places);
  const memory: ReconcileMemory = {};
  const context = {
    ...places,
    client,
    events,
    log,
    caches,
    restarts: laggardRestarts({ client, events, log, caches }),
    metrics: anchorMetrics(metrics.registry),
    readIssuerEnds: issuerEndReader(Date.now),
    readOutside: outsideReader(client),
    prober: createProber({ clock: Date.now, log, onRound: () => enqueue() }),
    readInstalledIssuer: (signal: AbortSignal) => installedIssuer(manager, places, signal),
    clock: () => new Date(),
    serversClock,
    memory,
  };
  let lookedAt = Number.NEGATIVE_INFINITY;
  const controller = manager.controller({
    name: 'trust-anchor',
    reconcile: async (_name, signal) => {
      const waitMs = lookedAt + GAP_MS - performance.now();
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      lookedAt = performance.now();
      return await reconcileAnchor(context, signal);
    },
  });
  const enqueue = (): void => controller.enqueue(TRUST_ANCHOR_NAME);
  // Not by controller.watch, which waits for all kinds: missing kinds of cert-manager must be reported.
  caches.onChange(enqueue);
  // Changes of workloads matter while some of them restart.
  caches.workloads.watch(controller, () => (memory.isRestarting ? [TRUST_ANCHOR_NAME] : []));
  enqueue();
  return {
    countWorkloads: () => {
      const { pods } = caches;
      return pods.hasSynced() ? new Set(pods.list().map(workloadOfPod)).size : undefined;
    },
  };
}

/** Returns the issuer of an installation without cert-manager, which is in its values. */
async function installedIssuer(
  { client }: Manager,
  { linkerdNamespace }: AnchorPlaces,
  signal: AbortSignal,
): Promise<string> {
  const key = `${linkerdNamespace}/${CONFIG_DEFAULTS.configMapName}`;
  const text = (await client.get<ConfigMap>(CONFIG_MAPS, key, { signal }))?.data?.[VALUES_KEY];
  const read = text === undefined ? undefined : readValues(text);
  const pem = read !== undefined && 'values' in read ? valueAt(read.values, INSTALLED_ISSUER) : undefined;
  return typeof pem === 'string' ? pem : '';
}
