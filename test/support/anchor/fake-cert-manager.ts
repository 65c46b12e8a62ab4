import type { CertManagerVersion } from '#linkerd/releases/cert-manager';
import { type Client, deleteIfThere } from '../cluster/client';
import { type KubeObject, ref } from '../cluster/objects';
import { type CertificateView, nextStep } from './cert-manager/issuance';
import { ensureIssuerStatus, resourceNamespace } from './cert-manager/issuers';
import { perform, updateStatus } from './cert-manager/perform';
import { readinessSignature, requestsToPrune, statusOfReadiness } from './cert-manager/readiness';
import { answerRequest, type Issued, isOpen, type SigningContext } from './cert-manager/requests';
import { API_VERSION, isIssuing, isOwnedBy, NEXT_PRIVATE_KEY } from './cert-manager/resources';
import { type ScaledDuration, scaledDuration } from './cert-manager/scaled-time';
import { ensureSecretMarks } from './cert-manager/secrets';
import { type Mirror, startMirror } from './mirror';
import { isPassing, startWorker } from './worker';

/** Options of a fake cert-manager. */
export interface CertManagerOptions {
  /** @default 'v1.21.1' */
  readonly version?: CertManagerVersion;
  /** The namespace of ClusterIssuers' Secrets. @default 'cert-manager' */
  readonly certManagerNamespace?: string;
  /** The time that an hour of a spec takes. @default - an hour */
  readonly hourMs?: number;
  /** The time from a request to its signature. @default 0 */
  readonly signingDelayMs?: number;
  /** The wait after a failure, which doubles with each. @default - an hour of a spec */
  readonly backoffMs?: number;
}

/**
 * Simulates the controllers of cert-manager for all Certificates, CertificateRequests, Issuers and ClusterIssuers of a
 * cluster; issuers are self-signed or CAs. It has no webhook (nothing is refused), Events, renewal windows, or check
 * that two Certificates do not share a Secret. It approves each request.
 */
export interface FakeCertManager {
  /** The certificates that it has signed, in order. */
  readonly issued: readonly Issued[];
  /** Stops all controllers, also those of issuers; resolves when the current round has ended. */
  pause(): Promise<void>;
  resume(): void;
  /** Sets the time from a request to its signature. */
  setSigningDelay(ms: number): void;
  /** Asks for a renewal as `cmctl renew` does. */
  renew(name: string, namespace: string): Promise<void>;
  /** Converts a duration of a spec to milliseconds of this test. */
  readonly duration: ScaledDuration;
  stop(): Promise<void>;
}

const KINDS = ['Certificate', 'CertificateRequest', 'Issuer', 'ClusterIssuer'].map((kind) => ({
  apiVersion: API_VERSION,
  kind,
}));

/** Starts a fake cert-manager, before or after its CRDs are applied. All state is in the cluster. */
export function startFakeCertManager(client: Client, options: CertManagerOptions = {}): FakeCertManager {
  const { certManagerNamespace = 'cert-manager', hourMs, signingDelayMs = 0, version = 'v1.21.1' } = options;
  const duration = scaledDuration(hourMs);
  const mirror = startMirror(client, [...KINDS, { apiVersion: 'v1', kind: 'Secret' }]);
  const issued: Issued[] = [];
  const state = { signingDelayMs, firstSeen: new Map<string, number>() };
  const { backoffMs } = options;
  const looked = new Map<string, string>();
  const context: ReconcileContext = { client, mirror, looked, settled: new Map(), duration, backoffMs, version };
  const signing: SigningContext = {
    client,
    certManagerNamespace,
    duration,
    find: (kind, name, namespace) => client.find(ref(kind === 'Secret' ? 'v1' : API_VERSION, kind, name, namespace)),
    onIssued: (one) => void issued.push(one),
  };
  const checked = new Map<string, string>();
  const worker = startWorker(async () => {
    await issuersRound({ client, mirror, checked }, certManagerNamespace);
    await eachApart(mirror.list('CertificateRequest').filter(isOpen), async (request) => {
      const { uid = '' } = request.metadata;
      const since = state.firstSeen.get(uid) ?? Date.now();
      state.firstSeen.set(uid, since);
      if (Date.now() < since + state.signingDelayMs) return;
      const live = await client.find(request);
      if (live !== undefined && isOpen(live)) await answerRequest(signing, live);
    });
    await eachApart(mirror.list('Certificate'), (certificate) => reconcile(context, certificate));
  });
  mirror.onChange(() => worker.wake());
  return {
    issued,
    duration,
    pause: () => worker.pause(),
    resume: () => worker.resume(),
    setSigningDelay: (ms) => {
      state.signingDelayMs = ms;
      worker.wake();
    },
    renew: (name, namespace) => renew(client, name, namespace),
    stop: async () => {
      // The mirror stops first, because a round may wait until the mirror is filled.
      mirror.stop();
      await worker.stop();
    },
  };
}

/** Works on all objects, even where one of them fails with a transient error. */
async function eachApart(objects: readonly KubeObject[], work: (object: KubeObject) => Promise<void>): Promise<void> {
  const one = async (object: KubeObject): Promise<void> => {
    try {
      await work(object);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  };
  await Promise.all(objects.map(one));
}

interface IssuersContext {
  readonly client: Client;
  readonly mirror: Mirror;
  /** By UID: the versions of the issuer and its Secret that were checked. This avoids parsing keys again. */
  readonly checked: Map<string, string>;
}

async function issuersRound(context: IssuersContext, certManagerNamespace: string): Promise<void> {
  const { client, mirror, checked } = context;
  await eachApart([...mirror.list('Issuer'), ...mirror.list('ClusterIssuer')], async (issuer) => {
    const name: string | undefined = issuer.spec.ca?.secretName;
    const secret = name && mirror.find('Secret', name, resourceNamespace(issuer, certManagerNamespace));
    const { uid = '', resourceVersion } = issuer.metadata;
    const version = `${resourceVersion}/${secret ? secret.metadata.resourceVersion : ''}`;
    if (checked.get(uid) === version) return;
    await ensureIssuerStatus(client, issuer, secret || undefined);
    checked.set(uid, version);
  });
}

interface ReconcileContext {
  readonly client: Client;
  readonly mirror: Mirror;
  /** By Certificate: the `readinessSignature` of its last check. */
  readonly looked: Map<string, string>;
  /** By Certificate: the version for which there was nothing to do, and the time of its next check. */
  readonly settled: Map<string, { readonly version: string; readonly until: number }>;
  readonly duration: ScaledDuration;
  readonly backoffMs: number | undefined;
  readonly version: CertManagerVersion;
}

/** Defaults of a Certificate by version of cert-manager: 1.18 changed both. */
const DEFAULTS: Readonly<Record<CertManagerVersion, { readonly rotationPolicy: string; readonly history: number }>> = {
  'v1.21.1': { rotationPolicy: 'Always', history: 1 },
  'v1.16.1': { rotationPolicy: 'Never', history: Number.MAX_SAFE_INTEGER },
};

/** A Certificate with the defaults of a version of cert-manager. */
function readBy(version: CertManagerVersion, certificate: KubeObject): KubeObject {
  const { rotationPolicy, history } = DEFAULTS[version];
  const { privateKey, revisionHistoryLimit = history } = certificate.spec;
  const spec = { ...certificate.spec, revisionHistoryLimit, privateKey: { rotationPolicy, ...privateKey } };
  return { ...certificate, spec };
}

/** The interval at which an unchanged Certificate is checked against the clock. Parsing certificates is slow. */
const CLOCK_MS = 200;

/** Decides by the mirror's copy first, and acts only on fresh objects from the API server. */
async function reconcile(context: ReconcileContext, copied: KubeObject): Promise<void> {
  if (copied.metadata.deletionTimestamp !== undefined) return;
  const view = copiedView(context, copied);
  const { uid = '' } = copied.metadata;
  const version = `${copied.metadata.resourceVersion}/${view.nextKeys.length}/${readinessSignature(view)}`;
  const settled = context.settled.get(uid);
  if (settled?.version === version && Date.now() < settled.until) return;
  const isLooked = context.looked.get(uid) === readinessSignature(view);
  const isClean = nextStep(view) === undefined && requestsToPrune(view).length === 0;
  if (isLooked && isClean) {
    context.settled.set(uid, { version, until: Date.now() + CLOCK_MS });
    return;
  }
  const live = await liveView(context, copied);
  if (live === undefined) return;
  const { client } = context;
  const step = nextStep(live);
  if (step !== undefined) return perform(client, live, step);
  if (!isIssuing(live.certificate) && live.secret) await ensureSecretMarks(client, live.certificate, live.secret);
  const status = statusOfReadiness(live);
  if (status !== undefined) return updateStatus(client, live.certificate, { status, as: 'readiness' });
  for (const request of requestsToPrune(live)) await deleteIfThere(client, request);
  context.looked.set(uid, readinessSignature(live));
}

function copiedView({ mirror, duration, backoffMs, version }: ReconcileContext, copied: KubeObject): CertificateView {
  const certificate = readBy(version, copied);
  const { namespace } = certificate.metadata;
  return {
    certificate,
    secret: mirror.find('Secret', certificate.spec.secretName, namespace),
    nextKeys: mirror.list('Secret', namespace).filter((secret) => isNextKeyOf(secret, certificate)),
    requests: mirror.list('CertificateRequest', namespace).filter((request) => isOwnedBy(request, certificate)),
    now: new Date(),
    duration,
    backoffMs: backoffMs ?? duration('1h'),
  };
}

async function liveView(context: ReconcileContext, copied: KubeObject): Promise<CertificateView | undefined> {
  const { client } = context;
  const { namespace } = copied.metadata;
  const [certificate, secret, requests, nextKeys] = await Promise.all([
    client.find(copied),
    client.find(ref('v1', 'Secret', copied.spec.secretName, namespace)),
    client.list(API_VERSION, 'CertificateRequest', { namespace }),
    client.list('v1', 'Secret', { namespace, labelSelector: NEXT_PRIVATE_KEY }),
  ]);
  if (certificate === undefined || certificate.metadata.uid !== copied.metadata.uid) return undefined;
  if (certificate.spec.secretName !== copied.spec.secretName) return undefined;
  return {
    ...copiedView(context, certificate),
    secret,
    requests: requests.filter((request) => isOwnedBy(request, certificate)),
    nextKeys: nextKeys.filter((secret) => isNextKeyOf(secret, certificate)),
  };
}

function isNextKeyOf(secret: KubeObject, certificate: KubeObject): boolean {
  return secret.metadata.labels?.[NEXT_PRIVATE_KEY] === 'true' && isOwnedBy(secret, certificate);
}

async function renew(client: Client, name: string, namespace: string): Promise<void> {
  const condition = {
    type: 'Issuing',
    status: 'True',
    reason: 'ManuallyTriggered',
    message: 'Certificate re-issuance manually triggered',
    lastTransitionTime: new Date().toISOString().replace(/\.\d+Z/, 'Z'),
  };
  const certificate: KubeObject = {
    ...ref(API_VERSION, 'Certificate', name, namespace),
    status: { conditions: [condition] },
  };
  await client.apply(certificate, { subresource: 'status', fieldManager: 'cmctl', force: true });
}
