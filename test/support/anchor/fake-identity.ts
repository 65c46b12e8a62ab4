import { DAY } from '#base/time-units';
import type { Client } from '../cluster/client';
import type { KubeObject } from '../cluster/objects';
import { type Replica, type ReplicaContext, type RunningReplica, startReplica } from './identity/replica';
import { startMirror } from './mirror';
import { watchVolumes } from './volumes';
import { startWorker } from './worker';

/** The differences of a fake identity controller from the real one. */
export interface IdentityOptions {
  /** Has the metric of its issuer's remaining lifetime, which 2.14 does not have. @default true */
  readonly tellsIssuerEnd?: boolean;
  /** @default 'linkerd' */
  readonly namespace?: string;
  /** ConfigMap with the bundle, key `ca-bundle.crt`. @default 'linkerd-identity-trust-roots' */
  readonly trustRoots?: string;
  /** @default 'linkerd-identity-issuer' */
  readonly issuerSecret?: string;
  /** Lifetime of leaves. @default - a day */
  readonly issuanceLifetimeMs?: number;
  /** @default 0 */
  readonly clockSkewMs?: number;
  /** The time from a change of a ConfigMap or Secret to a pod's files; may differ between pods. @default 0 */
  readonly lagMs?: number | ((pod: KubeObject) => number);
  /** The time between starts of a container that cannot start. @default 500 */
  readonly crashRetryMs?: number;
}

/**
 * Plays the container `identity` of each running pod of the Deployment linkerd-identity: roots are read at its start,
 * each new issuer is verified under these and taken up or skipped, with an Event of linkerd2's shape, and metrics are
 * served at the pod's address, port 9990, if that is below 127.0.0.0/8. A container that cannot start is started again
 * (its pod does not show it). No Events of single leaves.
 */
export interface FakeIdentity {
  /** Those that run now, in the order of their names. */
  replicas(): readonly Replica[];
  /** No replica that runs now notices new issuers any more (linkerd2#15109): all, or that of one pod. */
  breakWatcher(pod?: string): void;
  setLag(lagMs: number): void;
  /** The lines that its containers have logged. */
  readonly logs: readonly string[];
  stop(): Promise<void>;
}

/** Starts one. */
export function startFakeIdentity(client: Client, options: IdentityOptions = {}): FakeIdentity {
  const { namespace = 'linkerd' } = options;
  const mirror = startMirror(
    client,
    ['Pod', 'ConfigMap', 'Secret'].map((kind) => ({ apiVersion: 'v1', kind, namespace })),
  );
  const logs: string[] = [];
  let { lagMs = 0 } = options;
  const context: ReplicaContext = {
    client,
    namespace,
    volumes: watchVolumes(mirror),
    trustRoots: options.trustRoots ?? 'linkerd-identity-trust-roots',
    issuerSecret: options.issuerSecret ?? 'linkerd-identity-issuer',
    tellsIssuerEnd: options.tellsIssuerEnd ?? true,
    validity: () => ({ lifetimeMs: options.issuanceLifetimeMs ?? DAY, clockSkewMs: options.clockSkewMs ?? 0 }),
    lagMs: (pod) => (typeof lagMs === 'number' ? lagMs : lagMs(pod)),
    crashRetryMs: options.crashRetryMs ?? 500,
    log: (line) => void logs.push(line),
  };
  const running = new Map<string, RunningReplica>();
  const worker = startWorker(async () => {
    await mirror.filled;
    const pods = new Map(
      mirror
        .list('Pod')
        .filter(isIdentity)
        .map((pod) => [pod.metadata.uid ?? '', pod]),
    );
    for (const [uid, replica] of running) {
      if (pods.has(uid)) continue;
      running.delete(uid);
      await replica.stop();
    }
    for (const [uid, pod] of pods) {
      const replica = running.get(uid) ?? startReplica(context, pod);
      running.set(uid, replica);
      await replica.step();
    }
  });
  mirror.onChange(() => worker.wake());
  return {
    logs,
    replicas: () => [...running.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
    breakWatcher: (pod) => {
      for (const replica of running.values()) if (pod === undefined || nameOf(replica) === pod) replica.breakWatcher();
    },
    setLag: (ms) => {
      lagMs = ms;
    },
    stop: async () => {
      mirror.stop();
      await worker.stop();
      for (const replica of running.values()) await replica.stop();
      running.clear();
    },
  };
}

function nameOf({ pod }: Replica): string {
  return pod.metadata.name ?? '';
}

/** A pod of the Deployment, by its name and that of its ReplicaSet, that runs. */
function isIdentity({ metadata, status }: KubeObject): boolean {
  const isOfDeployment = metadata.ownerReferences?.some(
    ({ kind, name }) => kind === 'ReplicaSet' && name.startsWith('linkerd-identity-'),
  );
  const isRunning = status?.phase === 'Running' && status.podIP !== undefined;
  return isOfDeployment === true && isRunning && metadata.deletionTimestamp === undefined;
}
