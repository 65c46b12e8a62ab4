import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { pick, seededRandom } from '#anchor/check/random';
import type { KeyPair } from '../cluster/certificates';
import type { Client } from '../cluster/client';
import type { KubeObject } from '../cluster/objects';
import type { FakeIdentity } from './fake-identity';
import { proxyOf, TRUST_ANCHORS } from './fake-injector';
import { meshOf } from './identity/issuer';
import { startMirror } from './mirror';
import { type ProxyServer, startProxyServer } from './proxy-server';
import { readCertificates, verifyChain } from './trust';
import { type Volumes, watchVolumes } from './volumes';
import { startWorker } from './worker';

/** The proxy of a running pod. */
export interface MeshProxy {
  /** `namespace/name` of its pod. */
  readonly name: string;
  readonly pod: KubeObject;
  readonly since: number;
  /** The bundle with which it was started, as PEM. */
  readonly roots: string;
  /** Its leaf and the issuer's chain, as PEM; `undefined` until identity has issued a leaf. */
  readonly chain: string | undefined;
  /** The number of leaves that it has received. */
  readonly renewals: number;
  /** The reason why its last request failed. */
  readonly failure: string | undefined;
  /** The time of its first request for the next leaf, and the number of requests. A slow machine delays them. */
  readonly asked: { readonly first: number; readonly times: number } | undefined;
}

/** Options of fake proxies. */
export interface ProxiesOptions {
  /** The share of a leaf's lifetime after which the proxy requests the next leaf. @default 0.7 */
  readonly renewAt?: number;
  /** The time from a failed request to the next request. @default 200 */
  readonly retryMs?: number;
  /** The seed for the choice among identity's replicas. @default 1 */
  readonly seed?: number;
  /** Proxies terminate TLS at port 4143 of their pods' addresses. @default false */
  readonly serves?: boolean;
}

/**
 * Simulates the proxies of all running pods with a container `linkerd-proxy`. A proxy reads its roots from its
 * environment, and requests leaves from a random replica of identity. It verifies the chain of that replica's proxy, if
 * it has one, and then its new leaf. After a failed request, it keeps its leaf.
 */
export interface FakeProxies {
  /** The proxies of pods that run now. */
  live(): readonly MeshProxy[];
  /** With `serves`: makes proxies whose pods' names have this prefix present the pair, or their own leaf again. */
  lie(pods: string, pair: KeyPair | undefined): void;
  stop(): Promise<void>;
}

interface State {
  readonly name: string;
  readonly pod: KubeObject;
  readonly since: number;
  readonly roots: string;
  chain: string | undefined;
  renewals: number;
  failure: string | undefined;
  asked: { readonly first: number; readonly times: number } | undefined;
  /** The time of its next request. */
  next: number;
  server?: ProxyServer;
  /** The chain that its server presents. */
  served?: string;
}

/** Starts fake proxies for all pods of a cluster. */
export function startFakeProxies(client: Client, identity: FakeIdentity, options: ProxiesOptions = {}): FakeProxies {
  const { renewAt = 0.7, retryMs = 200 } = options;
  const mirror = startMirror(
    client,
    ['Pod', 'ConfigMap'].map((kind) => ({ apiVersion: 'v1', kind })),
  );
  const volumes = watchVolumes(mirror);
  const random = seededRandom(options.seed ?? 1);
  const states = new Map<string, State>();
  const lies = options.serves ? new Map<string, KeyPair>() : undefined;
  const context: AskContext = { identity, states, random, renewAt, retryMs, lies };
  const worker = startWorker(async () => {
    const pods = new Map(
      mirror
        .list('Pod')
        .filter(isRunning)
        .map((pod) => [pod.metadata.uid ?? '', pod]),
    );
    await end(states, pods);
    for (const [uid, pod] of pods) {
      const state = states.get(uid) ?? begin(pod, volumes);
      if (state === undefined) continue;
      states.set(uid, state);
      await step(context, state);
    }
  });
  mirror.onChange((object) => object.kind === 'Pod' && worker.wake());
  return {
    live: () => [...states.values()],
    lie: (pods, pair) => {
      if (pair === undefined) lies?.delete(pods);
      else lies?.set(pods, pair);
    },
    stop: async () => {
      // The mirror stops first, because a round may wait until the mirror is filled.
      mirror.stop();
      await worker.stop();
      for (const { server } of states.values()) await server?.stop();
    },
  };
}

function isRunning({ metadata, status }: KubeObject): boolean {
  return status?.phase === 'Running' && metadata.deletionTimestamp === undefined;
}

function begin(pod: KubeObject, volumes: Volumes): State | undefined {
  const variable = proxyOf(pod)?.env?.find(({ name }) => name === TRUST_ANCHORS);
  const { name, namespace = '' } = pod.metadata;
  const reference = variable?.valueFrom?.configMapKeyRef;
  const roots =
    reference === undefined
      ? variable?.value
      : volumes.at('ConfigMap', reference.name, namespace, Date.now())?.[reference.key];
  if (roots === undefined) return undefined;
  const now = Date.now();
  const empty = { chain: undefined, renewals: 0, failure: undefined, asked: undefined };
  return { name: `${namespace}/${name}`, pod, since: now, roots, next: now, ...empty };
}

interface AskContext {
  readonly identity: FakeIdentity;
  readonly states: ReadonlyMap<string, State>;
  readonly random: () => number;
  readonly renewAt: number;
  readonly retryMs: number;
  /** With `serves`: the pairs that `lie` has set, by prefix of the pods' names. */
  readonly lies: ReadonlyMap<string, KeyPair> | undefined;
}

/** All proxies share one key: no check depends on it, and a new key for each would be slow. */
const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const PUBLIC_KEY = createPublicKey(createPrivateKey(KEY)).export({ type: 'spki', format: 'der' });

/** Stops the proxies of deleted pods. */
async function end(states: Map<string, State>, pods: ReadonlyMap<string, KubeObject>): Promise<void> {
  for (const [uid, state] of states) {
    if (pods.has(uid)) continue;
    states.delete(uid);
    await state.server?.stop();
  }
}

async function step(context: AskContext, state: State): Promise<void> {
  if (Date.now() >= state.next) await ask(context, state);
  if (context.lies !== undefined) await serve(state, context.lies);
}

async function ask(context: AskContext, state: State): Promise<void> {
  const now = Date.now();
  state.asked = { first: state.asked?.first ?? now, times: (state.asked?.times ?? 0) + 1 };
  try {
    const chain = await leafFor(context, state);
    const [leaf] = readCertificates(chain);
    state.chain = chain;
    state.renewals += 1;
    state.failure = undefined;
    state.asked = undefined;
    const left = (leaf?.notAfter ?? now) - now;
    state.next = now + Math.max(left * context.renewAt, context.retryMs);
  } catch (error) {
    state.failure = (error as Error).message;
    state.next = now + context.retryMs;
  }
}

async function serve(state: State, lies: ReadonlyMap<string, KeyPair>): Promise<void> {
  const [, lie] = [...lies].find(([pods]) => state.name.startsWith(pods)) ?? [];
  const { cert, key } = lie ?? { cert: state.chain, key: KEY };
  const address: string | undefined = state.pod.status?.podIP;
  if (cert === undefined || address === undefined || cert === state.served) return;
  state.served = cert;
  if (state.server === undefined) state.server = await startProxyServer(address, cert, key);
  else state.server.present(cert, key);
}

async function leafFor({ identity, states, random }: AskContext, { name, pod, roots }: State): Promise<string> {
  // A replica that crashes is in no endpoints.
  const replica = pick(
    random,
    identity.replicas().filter(({ issuer }) => issuer !== undefined),
  );
  if (replica === undefined) throw new Error('identity does not answer');
  const server = states.get(replica.pod.metadata.uid ?? '');
  const isItsOwn = replica.pod.metadata.uid === pod.metadata.uid;
  if (!isItsOwn && proxyOf(replica.pod) !== undefined) {
    const refusal = server?.chain === undefined ? 'it has no certificate' : verifyChain(server.chain, roots);
    if (refusal !== undefined) throw new Error(`${name} refuses ${replica.pod.metadata.name}: ${refusal}`);
  }
  const mesh = replica.issuer && meshOf(replica.issuer);
  const chain = await replica.issue(identityOf(pod, mesh), PUBLIC_KEY);
  const refusal = verifyChain(chain, roots);
  if (refusal !== undefined) throw new Error(`${name} refuses its own new certificate: ${refusal}`);
  return chain;
}

function identityOf({ metadata, spec }: KubeObject, mesh = 'linkerd.cluster.local'): string {
  const account = spec.serviceAccountName ?? 'default';
  return `${account}.${metadata.namespace}.serviceaccount.identity.${mesh}`;
}
