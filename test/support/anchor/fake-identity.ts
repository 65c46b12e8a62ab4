import { DAY } from '#base/time-units';
import type { Client } from '../cluster/client';
import type { KubeObject } from '../cluster/objects';
import { type Replica, type ReplicaContext, type RunningReplica, startReplica } from './identity/replica';
import { startMirror } from './mirror';
import { watchVolumes } from './volumes';
import { startWorker } from './worker';

/** Options of a fake identity controller. */
export interface IdentityOptions {
  /** Serves the metric of its issuer's remaining lifetime, which 2.14 lacks. @default true */
  readonly tellsIssuerEnd?: boolean;
  /** @default 'linkerd' */
  readonly namespace?: string;
  /** The ConfigMap with the bundle, under the key `ca-bundle.crt`. @default 'linkerd-identity-trust-roots' */
  readonly trustRoots?: string;
  /** @default 'linkerd-identity-issuer' */
  readonly issuerSecret?: string;
  /** The lifetime of leaf certificates. @default - a day */
  readonly issuanceLifetimeMs?: number;
  /** @default 0 */
  readonly clockSkewMs?: number;
  /** The time from a change of a ConfigMap or Secret to the change of a pod's files. @default 0 */
  readonly lagMs?: number | ((pod: KubeObject) => number);
  /** The time between two starts of a container that fails to start. @default 500 */
  readonly crashRetryMs?: number;
}

/**
 * Simulates the container `identity` of each running pod of the Deployment linkerd-identity. It reads the roots when it
 * starts, and verifies each new issuer against them: it uses or skips the issuer, and writes linkerd2's Event. It
 * serves metrics at port 9990 of the pod's address, if that is in 127.0.0.0/8. A container that fails to start is
 * started again, which its pod's status does not show. There are no Events of single leaves.
 */
export interface FakeIdentity {
  /** The replicas that run now, sorted by name. */
  replicas(): readonly Replica[];
  /** Breaks the file watcher of all running replicas, or of one pod: they miss new issuers (linkerd2#15109). */
  breakWatcher(pod?: string): void;
  setLag(lagMs: number): void;
  /** The log lines of its containers. */
  readonly logs: readonly string[];
  stop(): Promise<void>;
}

/** Starts a fake identity controller. */
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

/** Whether a pod runs, and its ReplicaSet is of the Deployment linkerd-identity. */
function isIdentity({ metadata, status }: KubeObject): boolean {
  const isOfDeployment = metadata.ownerReferences?.some(
    ({ kind, name }) => kind === 'ReplicaSet' && name.startsWith('linkerd-identity-'),
  );
  const isRunning = status?.phase === 'Running' && status.podIP !== undefined;
  return isOfDeployment === true && isRunning && metadata.deletionTimestamp === undefined;
}
