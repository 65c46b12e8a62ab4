import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../cluster/client';
import type { KubeObject } from '../../cluster/objects';
import type { Files, Volumes } from '../volumes';
import { eventRecorder } from './events';
import { checkIssuer, issueLeaf, type LoadedIssuer, loadIssuer, type Validity } from './issuer';
import { type MetricsServer, serveMetrics } from './metrics-server';

/** The dependencies that all replicas share. */
export interface ReplicaContext {
  readonly client: Client;
  readonly volumes: Volumes;
  readonly namespace: string;
  readonly trustRoots: string;
  readonly issuerSecret: string;
  readonly tellsIssuerEnd: boolean;
  readonly validity: () => Validity;
  readonly lagMs: (pod: KubeObject) => number;
  /** The time between two starts of a container that fails to start. */
  readonly crashRetryMs: number;
  readonly log: (line: string) => void;
}

/** One running pod of identity. */
export interface Replica {
  readonly pod: KubeObject;
  /** The roots that it read when it started. */
  readonly roots: string | undefined;
  /** The issuer that signs; `undefined` until a start succeeds. */
  readonly issuer: LoadedIssuer | undefined;
  /** The reason why the last start failed. */
  readonly crash: string | undefined;
  /** Issues a leaf with its chain. @throws if the replica has not started, or its issuer does not verify */
  issue(name: string, publicKey: Buffer): Promise<string>;
}

/** A replica, and the functions that drive it. */
export interface RunningReplica extends Replica {
  /** Starts, or reads its files again. */
  step(): Promise<void>;
  /** Makes it miss all further changes of its files. */
  breakWatcher(): void;
  stop(): Promise<void>;
}

/** Creates the replica of a pod. */
export function startReplica(context: ReplicaContext, pod: KubeObject): RunningReplica {
  const { client, volumes, namespace } = context;
  const { name = '' } = pod.metadata;
  const recorder = eventRecorder(client, namespace);
  const since = Date.now();
  let started = 0;
  let roots: string | undefined;
  let issuer: LoadedIssuer | undefined;
  let crash: string | undefined;
  let seen: Files;
  let isWatching = true;
  let server: MetricsServer | undefined;

  const mounted = (kind: 'ConfigMap' | 'Secret', object: string) =>
    volumes.mounted({ kind, name: object, namespace, since, lagMs: context.lagMs(pod) });
  const tell = (type: 'Normal' | 'Warning', reason: string, message: string) => {
    context.log(`${name}: ${message}`);
    return recorder.record(type, reason, message);
  };

  const start = async (): Promise<void> => {
    if (Date.now() < started + (crash === undefined ? 0 : context.crashRetryMs)) return;
    started = Date.now();
    try {
      roots = mounted('ConfigMap', context.trustRoots)?.['ca-bundle.crt'];
      if (roots === undefined) throw new Error('could not read identity trust anchors PEM');
      seen = mounted('Secret', context.issuerSecret);
      issuer = loadIssuer(seen, roots);
      crash = undefined;
      isWatching = true;
    } catch (error) {
      crash = `Failed to initialize identity service: ${(error as Error).message}`;
      context.log(`${name}: ${crash}`);
      return;
    }
    server ??= await serveMetrics(pod.status.podIP, metrics);
  };
  const metrics = (): string => {
    const ttl = issuer === undefined ? 0 : (issuer.notAfter - Date.now()) / 1_000;
    const issuerEnd = [
      '# HELP issuer_cert_ttl_seconds The remaining seconds until the issuer certificate expires',
      '# TYPE issuer_cert_ttl_seconds gauge',
      `issuer_cert_ttl_seconds ${ttl}`,
    ];
    return [
      ...(context.tellsIssuerEnd ? issuerEnd : []),
      '# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.',
      '# TYPE process_start_time_seconds gauge',
      `process_start_time_seconds ${started / 1_000}`,
      '',
    ].join('\n');
  };
  const update = async (): Promise<void> => {
    const files = mounted('Secret', context.issuerSecret);
    if (!isWatching || isDeepStrictEqual(files, seen)) return;
    seen = files;
    try {
      issuer = loadIssuer(files, roots ?? '');
    } catch (error) {
      const message = `Skipping issuer update as certs could not be read from disk: ${(error as Error).message}`;
      return tell('Warning', 'IssuerUpdateSkipped', message);
    }
    return tell('Normal', 'IssuerUpdated', 'Updated identity issuer');
  };
  return {
    pod,
    get roots() {
      return roots;
    },
    get issuer() {
      return issuer;
    },
    get crash() {
      return crash;
    },
    step: () => (issuer === undefined ? start() : update()),
    issue: async (identity, publicKey) => {
      if (issuer === undefined) throw new Error(`${name} does not answer: ${crash ?? 'it has not started'}`);
      try {
        checkIssuer(issuer.chain, roots ?? '');
      } catch (error) {
        const message = `${(error as Error).message} - CSR Identity : ${identity}`;
        await tell('Warning', 'IssuerValidationFailed', message);
        throw error;
      }
      return issueLeaf(issuer, identity, publicKey, context.validity());
    },
    breakWatcher: () => {
      isWatching = false;
    },
    stop: async () => {
      await server?.stop();
    },
  };
}
