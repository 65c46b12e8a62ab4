import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditEvent, type AuditFilter, readAuditEvents } from './audit';
import { issueCertificate } from './certificates';
import { type Client, createClient } from './client';
import { type ControlPlane, killControlPlane, startApiServer, startControlPlane, stopApiServer } from './control-plane';
import { eventually } from './eventually';
import type { ControlPlaneOptions } from './flags';
import { type Identity, writeKubeconfig } from './kubeconfig';
import type { KubeObject, Reference } from './objects';
import { rolloutGap } from './rollout';
import { runDirectory } from './run-directory';

/** An identity: a token, a client certificate, or a name, which stands for a user with a new client certificate. */
type Who = Identity | { readonly user: string; readonly groups?: readonly string[] };

/** A cluster as tests see it: what the administrator can do with it, and what only a test rig can. */
export interface Cluster extends Client {
  /** Such as `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The CA of the API server and of client certificates, as kubeconfigs want it: base64 of PEM. */
  readonly caData: string;
  /** Keys, logs (`kube-apiserver.log` …) and kubeconfigs of this cluster. */
  readonly dir: string;

  /** Makes a namespace that nobody else uses, in which pods can start. Returns its name. */
  namespace(prefix?: string, metadata?: Partial<KubeObject['metadata']>): Promise<string>;
  /** Waits until a Deployment, StatefulSet or DaemonSet runs what its spec says, and returns it. */
  rolledOut(workload: Reference, options?: { readonly timeoutMs?: number }): Promise<KubeObject>;
  /** {@link eventually}, at hand. */
  readonly eventually: typeof eventually;

  /** The same API for someone else. */
  as(who: Who): Client;
  /** A token of a ServiceAccount, from the TokenRequest API. Valid for an hour. */
  serviceAccountToken(namespace: string, name: string): Promise<string>;
  /** Writes a kubeconfig and returns its path. @default - the administrator's */
  kubeconfig(who?: Who): string;
  /**
   * Returns who did what: finished requests from the API server's audit log, without those of the control plane itself.
   */
  auditEvents(filter?: AuditFilter): AuditEvent[];
}

/** A cluster that nobody else uses: its parts may be stopped. */
export interface OwnCluster extends Cluster {
  /** Ends the API server; watches are cut, and nothing answers until {@link startApiServer}. */
  stopApiServer(): Promise<void>;
  /** Starts it again: same port, certificates and data. Ready when this returns. */
  startApiServer(): Promise<void>;
  restartApiServer(): Promise<void>;
  /** Ends all of it and removes its files. Whoever started the cluster calls this. */
  stop(): Promise<void>;
}

/**
 * The cluster of this Jest worker: the first test file that asks starts it, those after it use it too. Tests share it,
 * so each keeps to namespaces of its own and removes what is cluster-wide.
 */
export function sharedCluster(): Promise<Cluster> {
  shared ??= findOrStart();
  return shared;
}

let shared: Promise<Cluster> | undefined;

/** Jest loads this file anew for each test file, so those after the first find the cluster by its file. */
async function findOrStart(): Promise<Cluster> {
  // By process, not by worker number: a worker that Jest replaces takes its cluster along.
  const dir = join(runDirectory(), `shared-${process.pid}`);
  const state = join(dir, 'cluster.json');
  if (existsSync(state)) return clusterOf(JSON.parse(readFileSync(state, 'utf8')));
  const plane = await startControlPlane(dir);
  writeFileSync(state, JSON.stringify(plane), { mode: 0o600 });
  return clusterOf(plane);
}

/**
 * A cluster for one test file alone, which must stop it: to restart parts of it, or to count all there is. Without
 * controllers nobody but the test touches what it writes (and namespaces get no ServiceAccount, so no pods either).
 */
export async function startCluster(
  options: ControlPlaneOptions & { readonly controllers?: boolean } = {},
): Promise<OwnCluster> {
  const dir = join(runDirectory(), `own-${process.pid}-${randomBytes(4).toString('hex')}`);
  const plane = await startControlPlane(dir, options);
  const own = {
    stopApiServer: () => stopApiServer(plane),
    startApiServer: () => startApiServer(plane),
    restartApiServer: async () => {
      await stopApiServer(plane);
      await startApiServer(plane);
    },
    stop: () => killControlPlane(dir),
  };
  return { ...clusterOf(plane), ...own };
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
