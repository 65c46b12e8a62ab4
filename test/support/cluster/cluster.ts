import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditEvent, type AuditFilter, forgetAuditEvents, readAuditEvents } from './audit';
import { issueCertificate } from './certificates';
import { type Client, createClient } from './client';
import { type ControlPlane, isWhole, startApiServer, startControlPlane, stopApiServer } from './control-plane';
import { readSnapshot, type Snapshot, writeSnapshot } from './etcd';
import { eventually } from './eventually';
import { type Identity, writeKubeconfig } from './kubeconfig';
import { takeLoopbackNetwork } from './loopback-network';
import type { KubeObject, Reference } from './objects';
import { killControlPlane } from './pid-files';
import { rolloutGap } from './rollout';
import { runDirectory } from './run-directory';

/** A token, a client certificate, or a user's name, for which a client certificate is issued. */
type Who = Identity | { readonly user: string; readonly groups?: readonly string[] };

/** A cluster for tests: the administrator's client, and what only a test rig can do. */
export interface Cluster extends Client {
  /** Such as `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The CA of the API server and of client certificates, in the format of kubeconfigs: base64 of PEM. */
  readonly caData: string;
  /** Keys, logs (`kube-apiserver.log` …) and kubeconfigs of this cluster. */
  readonly dir: string;

  /** Creates a namespace with a random name, in which pods can start. Returns its name. */
  namespace(prefix?: string, metadata?: Partial<KubeObject['metadata']>): Promise<string>;
  /** Waits until a Deployment, StatefulSet or DaemonSet has rolled out, and returns it. */
  rolledOut(workload: Reference, options?: { readonly timeoutMs?: number }): Promise<KubeObject>;
  /** {@link eventually}, so that tests need not import it. */
  readonly eventually: typeof eventually;

  /** A client of the same API server with another identity. */
  as(who: Who): Client;
  /** A token of a ServiceAccount, from the TokenRequest API. Valid for an hour. */
  serviceAccountToken(namespace: string, name: string): Promise<string>;
  /** Writes a kubeconfig and returns its path. @default - the administrator's */
  kubeconfig(who?: Who): string;
  /**
   * The finished requests in the API server's audit log, without those of the control plane itself.
   */
  auditEvents(filter?: AuditFilter): AuditEvent[];
}

/** A cluster for one test file alone, which may stop parts of it. */
export interface OwnCluster extends Cluster {
  /** Ends the API server. Watches end, and requests fail until {@link startApiServer}. */
  stopApiServer(): Promise<void>;
  /** Starts the API server again with the same port, certificates and data, and waits until it is ready. */
  startApiServer(): Promise<void>;
  restartApiServer(): Promise<void>;
  /** Ends the cluster and removes its files. A cluster that later test files use is reset instead. */
  stop(): Promise<void>;
}

/** A cluster that is kept for the next test file, and its first state. */
interface KeptCluster {
  readonly plane: ControlPlane;
  readonly beginning: Snapshot;
  /** The API groups that it served at first. */
  readonly groups: readonly string[];
}

/**
 * The cluster of this Jest worker. The first test file that needs it starts it, and later ones share it. So each test
 * uses its own namespaces, and removes its cluster-wide objects.
 */
export function sharedCluster(): Promise<Cluster> {
  shared ??= keptCluster().then(({ plane }) => clusterOf(plane));
  return shared;
}

let shared: Promise<Cluster> | undefined;
let taken = false;

/**
 * The same cluster, with only the objects that Kubernetes itself creates, for one test file alone. The file may leave
 * any objects in it and stop parts of it, and must call `stop`. A reset takes a tenth of the time in which the
 * programs of another cluster start. On Linux, a test can listen on the addresses of pods.
 */
export async function emptyCluster(): Promise<OwnCluster> {
  if (shared !== undefined || taken)
    throw new Error('This test file already has a cluster, whose objects would be lost.');
  taken = true;
  const kept = await keptCluster({ empty: true });
  const { plane } = kept;
  forgetAuditEvents(plane.dir);
  const stop = async (): Promise<void> => {
    await giveBack(kept);
    taken = false;
  };
  return { ...clusterOf(plane), ...apiServerOf(plane), stop };
}

/** Starts a further cluster, for a test file that needs two at a time; `stop` ends it. */
export async function anotherCluster(): Promise<OwnCluster> {
  const dir = join(runDirectory(), `another-${process.pid}-${randomBytes(4).toString('hex')}`);
  const plane = await startControlPlane(dir, { podCidr: await takeLoopbackNetwork() });
  return { ...clusterOf(plane), ...apiServerOf(plane), stop: () => killControlPlane(plane.dir) };
}

/** Jest loads this module again for each test file, so later test files find the cluster by its files. */
async function keptCluster({ empty = false } = {}): Promise<KeptCluster> {
  const kept = (await foundCluster(empty)) ?? (await beginCluster());
  if (empty) writeFileSync(takenFile(kept.plane.dir), '');
  return kept;
}

/** Exists while a test file has the cluster for itself. After a failed test file it may still exist. */
const takenFile = (dir: string): string => join(dir, 'taken');
const stateFile = (dir: string): string => join(dir, 'cluster.json');

/** The prefix has the process id, because a cluster ends with its worker, which Jest may replace. */
const PREFIX = `kept-${process.pid}-`;

async function foundCluster(empty: boolean): Promise<KeptCluster | undefined> {
  const dirs = readdirSync(runDirectory()).filter((name) => name.startsWith(PREFIX));
  const dir = dirs.map((name) => join(runDirectory(), name)).find((path) => existsSync(stateFile(path)));
  if (dir === undefined) return undefined;
  const kept: KeptCluster = JSON.parse(readFileSync(stateFile(dir), 'utf8'));
  if (empty || existsSync(takenFile(dir))) await giveBack(kept);
  return existsSync(stateFile(dir)) ? kept : undefined;
}

/** Starts a cluster in a new folder, because a test file that timed out may still be starting another cluster. */
async function beginCluster(): Promise<KeptCluster> {
  const dir = join(runDirectory(), `${PREFIX}${randomBytes(4).toString('hex')}`);
  const plane = await startControlPlane(dir, { podCidr: await takeLoopbackNetwork() });
  const kept = { plane, beginning: await restingSnapshot(plane), groups: await apiGroups(plane) };
  writeFileSync(stateFile(dir), JSON.stringify(kept), { mode: 0o600 });
  return kept;
}

/** The objects of a new cluster after its controllers have created their own. */
function restingSnapshot({ ports }: ControlPlane): Promise<Snapshot> {
  return eventually(async () => {
    const before = Object.keys(await readSnapshot(ports.etcdClient)).length;
    await sleep(500);
    const after = await readSnapshot(ports.etcdClient);
    if (Object.keys(after).length > before) throw new Error('Controllers still create objects.');
    return after;
  });
}

/** Resets a cluster to its first state, or ends it if one of its programs has ended or the reset fails. */
async function giveBack(kept: KeptCluster): Promise<void> {
  const { plane } = kept;
  if (!isWhole(plane)) return killControlPlane(plane.dir);
  try {
    await eventually(() => beginAgain(kept));
    rmSync(takenFile(plane.dir), { force: true });
  } catch {
    await killControlPlane(plane.dir);
  }
}

/** Restores the first objects. @throws if there were changes, or the API server still serves another API group */
async function beginAgain({ plane, beginning, groups }: KeptCluster): Promise<void> {
  const changes = await writeSnapshot(plane.ports.etcdClient, beginning);
  if (changes > 0) throw new Error(`${changes} objects differed from the first state.`);
  const more = (await apiGroups(plane)).filter((name) => !groups.includes(name));
  if (more.length > 0) throw new Error(`The API server still serves ${more.join(', ')}.`);
}

async function apiGroups({ server, ca, admin }: ControlPlane): Promise<readonly string[]> {
  const { request } = createClient({ server, ca: ca.cert, identity: admin });
  const { groups } = (await request({ method: 'GET', path: '/apis' })) as { groups: readonly { name: string }[] };
  return groups.map(({ name }) => name);
}

/**
 * Starts a separate cluster, which must be stopped: for a test file that also shares one, or that restarts the API
 * server, after which controllers wait longer each time. Without controllers, only the test changes its objects, and
 * pods cannot be created, because a namespace gets no ServiceAccount.
 */
export async function startCluster(options: { readonly controllers?: boolean } = {}): Promise<OwnCluster> {
  const dir = join(runDirectory(), `own-${process.pid}-${randomBytes(4).toString('hex')}`);
  const plane = await startControlPlane(dir, options);
  return { ...clusterOf(plane), ...apiServerOf(plane), stop: () => killControlPlane(dir) };
}

function apiServerOf(plane: ControlPlane): Omit<OwnCluster, keyof Cluster | 'stop'> {
  return {
    stopApiServer: () => stopApiServer(plane),
    startApiServer: () => startApiServer(plane),
    restartApiServer: async () => {
      await stopApiServer(plane);
      await startApiServer(plane);
    },
  };
}

function clusterOf(plane: ControlPlane): Cluster {
  const { server, dir } = plane;
  const ca = plane.ca.cert;
  const client = createClient({ server, ca, identity: plane.admin });
  return {
    ...client,
    server,
    dir,
    caData: Buffer.from(ca).toString('base64'),
    eventually,
    namespace: (prefix = 'test', metadata = {}) => newNamespace(client, prefix, metadata),
    rolledOut: (workload, options) => rolledOut(client, workload, options),
    as: (who) => createClient({ server, ca, identity: identityOf(plane, who) }),
    serviceAccountToken: (namespace, name) => serviceAccountToken(client, namespace, name),
    kubeconfig: (who = plane.admin) => {
      const path = join(dir, `${randomBytes(6).toString('hex')}.kubeconfig`);
      writeKubeconfig(path, { server, ca, identity: identityOf(plane, who) });
      return path;
    },
    auditEvents: (filter = {}) => readAuditEvents(dir, filter),
  };
}

function identityOf(plane: ControlPlane, who: Who): Identity {
  if (!('user' in who)) return who;
  return issueCertificate({ commonName: who.user, organizations: who.groups, issuer: plane.ca });
}

async function newNamespace(
  client: Client,
  prefix: string,
  metadata: Partial<KubeObject['metadata']>,
): Promise<string> {
  const name = `${prefix}-${randomBytes(4).toString('hex')}`;
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { ...metadata, name } });
  // The API server refuses pods until the namespace has its ServiceAccount.
  await eventually(() =>
    client.get({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } }),
  );
  return name;
}

async function rolledOut(client: Client, workload: Reference, options?: { timeoutMs?: number }): Promise<KubeObject> {
  return eventually(async () => {
    const current = await client.get(workload);
    const gap = rolloutGap(current);
    if (gap !== undefined) throw new Error(`${current.kind} ${current.metadata.name} has not rolled out: ${gap}.`);
    return current;
  }, options);
}

async function serviceAccountToken(client: Client, namespace: string, name: string): Promise<string> {
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const { status } = (await client.request({ method: 'POST', path, body: request })) as KubeObject;
  return status.token;
}
