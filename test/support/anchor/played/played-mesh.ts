import { createHash } from 'node:crypto';
import {
  IDENTITY_ISSUER,
  KEPT_ROOTS,
  SELF_SIGNED_ISSUER,
  TRUST_ANCHOR_DEFAULTS,
  TRUST_ANCHOR_LABEL,
  TRUST_ROOTS,
  TRUST_ROOTS_KEY,
  type TrustAnchorSpec,
} from '#anchor/trust-anchor';
import type { EventNote } from '#controller-runtime/events/event';
import type { AnchorCaches } from '#operator/src/anchor/caches/anchor-caches';
import type { MeshedPod } from '#operator/src/anchor/objects/meshed-pod';
import { seenBundles } from '#operator/src/anchor/observe/seen-bundles';
import { type AnchorContext, reconcileAnchor } from '#operator/src/anchor/reconcile';
import { checkChain } from '#operator/src/pki/trust-chain';
import { memoryLog } from '../../controller-runtime/memory-log';
import { type AnyObject, frozen, type MemoryApi, memoryApi } from './memory-api';
import { blocks, parsedCertificate, settleCertificates } from './played-cert-manager';

const [LINKERD, CERT_MANAGER] = ['linkerd', 'cert-manager'];

/** The time at which each played mesh starts. */
const BEGIN = Date.parse('2026-11-23T00:00:00Z');

/** A spec with a rotation of about twenty minutes. */
const SPEC: TrustAnchorSpec = {
  ...TRUST_ANCHOR_DEFAULTS,
  issuanceLifetime: '5m',
  propagationDelay: '1m',
  clockSkewAllowance: '1s',
};

/** A mesh in memory with a simulated clock, which only `pass` moves. */
export interface PlayedMesh {
  readonly api: MemoryApi;
  readonly now: () => number;
  /** The running pods. */
  readonly pods: () => readonly MeshedPod[];
  /** The components that are down. */
  readonly away: Set<'cert-manager' | 'trust-manager' | 'identity'>;
  /** The Events of all operators. */
  readonly events: readonly EventNote[];
  /** The status of the TrustAnchor. */
  status(): AnyObject;
  spec(change: Partial<TrustAnchorSpec>): void;
  /** Starts an operator, whose only state is in the cluster. */
  operator(change?: Partial<AnchorContext>): PlayedOperator;
  /** Moves the clock. All components but the operator act, and old pods are replaced. */
  pass(ms: number): void;
  /** An independent copy with the same state. */
  copy(): PlayedMesh;
}

/** One process of the operator. */
export interface PlayedOperator {
  readonly context: AnchorContext;
  /** Reconciles once. @returns the milliseconds until the next reconciliation */
  look(): Promise<number>;
}

/** The state that `copy` duplicates. */
interface State {
  readonly api: MemoryApi;
  now: number;
  pods: readonly MeshedPod[];
  events: EventNote[];
  readonly away: PlayedMesh['away'];
  /** The end of identity's current issuer. */
  issuerEnd: number;
  /** How long each pod lives. */
  readonly podMs: number;
}

/** Creates a mesh without a trust anchor. */
export function playedMesh(spec: Partial<TrustAnchorSpec> = {}, podMs = POD_MS): PlayedMesh {
  const api = memoryApi();
  api.put('trustanchors', { metadata: { name: 'linkerd' }, spec: { ...SPEC, ...spec } });
  api.put('issuers', { metadata: { name: SELF_SIGNED_ISSUER, namespace: CERT_MANAGER }, spec: { selfSigned: {} } });
  api.put('certificates', {
    metadata: { name: IDENTITY_ISSUER, namespace: LINKERD },
    spec: {
      secretName: IDENTITY_ISSUER,
      commonName: 'identity.linkerd.cluster.local',
      duration: '48h',
      issuerRef: { name: IDENTITY_ISSUER, kind: 'ClusterIssuer' },
    },
  });
  return meshOf({ api, now: BEGIN, pods: [], events: [], away: new Set(), issuerEnd: 0, podMs });
}

function meshOf(state: State): PlayedMesh {
  const { api } = state;
  const settle = (): void => {
    if (!state.away.has('cert-manager')) settleCertificates(api, state.now);
    if (!state.away.has('trust-manager')) settleBundle(api);
    if (!state.away.has('identity')) state.issuerEnd = endOfIssuer(api);
  };
  return {
    api,
    now: () => state.now,
    pods: () => state.pods,
    away: state.away,
    events: state.events,
    status: () => api.find('trustanchors', 'linkerd')?.status ?? {},
    spec: (change) => void api.put('trustanchors', { metadata: { name: 'linkerd' }, spec: change }),
    operator: (change = {}) => {
      const context = { ...contextOf(state), ...change };
      return {
        context,
        look: async () => {
          const result = await reconcileAnchor(context, new AbortController().signal);
          settle();
          return result?.requeueAfterMs ?? 60_000;
        },
      };
    },
    pass: (ms) => {
      state.now += ms;
      settle();
      state.pods = podsAt(state);
    },
    copy: () => meshOf({ ...state, api: api.copy(), events: [], away: new Set(state.away) }),
  };
}

function contextOf(state: State): AnchorContext {
  const { api } = state;
  const seen = seenBundles();
  let last: AnyObject | undefined;
  const caches: Pick<AnchorCaches, 'missing' | 'view' | 'refresh'> = {
    missing: () => [],
    refresh: () => Promise.resolve([]),
    view: () => {
      const bundle = api.find('configmaps', `${LINKERD}/${TRUST_ROOTS}`);
      // A watch reports changes only.
      if (bundle !== undefined && bundle !== last) seen.add(bundle, state.now);
      last = bundle;
      const requests = (namespace: string) => api.list('certificaterequests', namespace) as never;
      return frozen({
        certificates: api.list('certificates', CERT_MANAGER) as never,
        issuers: api.list('issuers', CERT_MANAGER) as never,
        requests: requests(CERT_MANAGER),
        configMaps: api.list('configmaps', CERT_MANAGER),
        issuerCertificate: api.find('certificates', `${LINKERD}/${IDENTITY_ISSUER}`) as never,
        issuerRequests: requests(LINKERD),
        bundle,
        events: [],
        clusterIssuer: api.find('clusterissuers', IDENTITY_ISSUER) as never,
        pods: state.pods,
      }) as never;
    },
  };
  const withBundles = { ...caches, view: () => ({ ...caches.view(), seenBundles: seen }) };
  return {
    linkerdNamespace: LINKERD,
    certManagerNamespace: CERT_MANAGER,
    client: api.client,
    events: { record: (event) => void state.events.push(event), flush: () => Promise.resolve() },
    log: memoryLog().log,
    caches: withBundles as unknown as AnchorCaches,
    restarts: { plan: () => undefined, run: () => Promise.resolve({ isOutdated: false }) },
    metrics: { set: () => undefined, setStuck: () => undefined, clear: () => undefined },
    readIssuerEnds: (pods) => Promise.resolve(new Map(pods.map((pod) => [pod.metadata.uid ?? '', state.issuerEnd]))),
    readOutside: () => {
      const [workloads, links] = [api.list('externalworkloads'), api.list('links')];
      return Promise.resolve({ workloads, links, unread: [] });
    },
    prober: { probe: () => ({ since: state.now, presented: [], unreached: [] }), dueInMs: () => undefined },
    readInstalledIssuer: () => Promise.resolve(''),
    clock: () => new Date(state.now),
    serversClock: { aheadMs: () => 0 },
    memory: {},
  };
}

/** The end of the issuer in identity's Secret. */
function endOfIssuer(api: MemoryApi): number {
  const [issuer] = issuerChain(api);
  return issuer === undefined ? 0 : parsedCertificate(issuer).validToDate.getTime();
}

/** The identity issuer's certificate, and its chain towards a trust anchor. */
export function issuerChain(api: MemoryApi): readonly string[] {
  return blocks(api.find('secrets', `${LINKERD}/${IDENTITY_ISSUER}`)?.tls.cert ?? '');
}

/** Simulates trust-manager: the bundle contains the certificates of all objects with the label. */
function settleBundle(api: MemoryApi): void {
  const isSource = ({ metadata }: AnyObject): boolean => metadata.labels?.[TRUST_ANCHOR_LABEL] !== undefined;
  const texts = [
    ...api
      .list('secrets', CERT_MANAGER)
      .filter(isSource)
      .map(({ tls }) => tls.cert),
    ...api
      .list('configmaps', CERT_MANAGER)
      .filter(isSource)
      .map(({ data }) => data[TRUST_ROOTS_KEY]),
  ];
  const text = [...new Set(texts.flatMap(blocks))].toSorted().join('');
  if (text === '') return;
  api.put('configmaps', { metadata: { name: TRUST_ROOTS, namespace: LINKERD }, data: { [TRUST_ROOTS_KEY]: text } });
}

/** The default lifetime of pods. */
const POD_MS = 4 * 60_000;

/** One replica of identity and two pods of a workload, which are replaced one after another. */
function podsAt({ api, now, pods, podMs }: State): readonly MeshedPod[] {
  const text = bundleOf(api);
  // A pod starts only with roots and an issuer.
  if (text === '' || issuerChain(api).length === 0) return [];
  return ['linkerd-identity-0', 'web-0', 'web-1'].map((name, index) => {
    const turn = Math.floor((now + (index * podMs) / 3) / podMs);
    const before = pods.find(({ metadata }) => metadata.uid === `${name}-${turn}`);
    return before ?? podOf(name, `${name}-${turn}`, { text, now });
  });
}

function podOf(name: string, uid: string, { text, now }: { readonly text: string; readonly now: number }): MeshedPod {
  const isIdentity = name.startsWith('linkerd-');
  const created = new Date(now).toISOString();
  const running = { state: { running: { startedAt: created } } };
  const containers = isIdentity ? ['linkerd-proxy', 'identity'] : ['linkerd-proxy'];
  return {
    metadata: {
      name,
      namespace: isIdentity ? LINKERD : 'shop',
      uid,
      creationTimestamp: created,
      labels: {
        'linkerd.io/control-plane-ns': LINKERD,
        ...(isIdentity && { 'linkerd.io/control-plane-component': 'identity' }),
      },
      annotations: { 'linkerd.io/trust-root-sha256': createHash('sha256').update(text).digest('hex'), [GIVEN]: text },
    },
    spec: { containers: containers.map((container) => ({ name: container })) },
    status: { phase: 'Running', containerStatuses: containers.map((container) => ({ name: container, ...running })) },
  };
}

/** The annotation with a pod's roots, which only these tests read. */
const GIVEN = 'test/roots';

/** The text of the mesh's bundle. */
export function bundleOf(api: MemoryApi): string {
  return api.find('configmaps', `${LINKERD}/${TRUST_ROOTS}`)?.data[TRUST_ROOTS_KEY] ?? '';
}

/** A condition of a mesh's TrustAnchor; empty if it has none of the type. */
export function condition(mesh: PlayedMesh, type: string): AnyObject {
  return mesh.status().conditions?.find((it: AnyObject) => it.type === type) ?? {};
}

/** The roots that the operator itself keeps in the bundle. */
export function keptRoots(api: MemoryApi): readonly string[] {
  return blocks(api.find('configmaps', `${CERT_MANAGER}/${KEPT_ROOTS}`)?.data[TRUST_ROOTS_KEY] ?? '');
}

/** By chain and roots: until when the chain is accepted. This saves the checks of signatures. */
const accepted = new Map<string, number>();

/** The pods that do not accept an issuer's chain, of this or another mesh, each with the reason. */
export function brokenPods(
  { pods, api, now }: PlayedMesh,
  chain: readonly string[] = issuerChain(api),
): readonly string[] {
  const at = now();
  return pods().flatMap(({ metadata }) => {
    const roots = metadata.annotations?.[GIVEN] ?? '';
    const key = `${chain.join('')}${roots}`;
    if (at < (accepted.get(key) ?? 0)) return [];
    const certificates = chain.map(parsedCertificate);
    const problem = checkChain(certificates, roots, new Date(at));
    if (problem !== undefined) return [`${metadata.uid}: ${problem}`];
    const ends = [...certificates, ...blocks(roots).map(parsedCertificate)];
    accepted.set(key, Math.min(...ends.map(({ validToDate }) => validToDate.getTime())));
    return [];
  });
}

/** Reconciles until the mesh is stable with a generation. @returns the number of reconciliations */
export async function rotateTo(
  mesh: PlayedMesh,
  generation: number,
  options: { readonly operators?: () => PlayedOperator; readonly afterLook?: () => void } = {},
): Promise<number> {
  const { operators = () => mesh.operator(), afterLook } = options;
  let operator = operators();
  for (let looks = 1; looks < 400; looks += 1) {
    let wait = 1_000;
    try {
      wait = await operator.look();
    } catch {
      // The operator was killed. A new process continues from the cluster's state.
      operator = operators();
    }
    afterLook?.();
    const { phase, memory } = mesh.status();
    if (phase === 'Stable' && memory?.current?.generation === generation && memory.rotation === undefined) return looks;
    mesh.pass(Math.max(1_000, wait));
  }
  throw new Error(`generation ${generation} was not reached: ${JSON.stringify(mesh.status())}`);
}
