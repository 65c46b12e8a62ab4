import { createHash } from 'node:crypto';
import type { ClusterIntent } from '../../../lib/review/status/intent';
import type {
  Observation,
  ObservedApplication,
  ObservedApplicationSet,
  ObservedCertificate,
  ObservedPod,
  ObservedRequest,
  ObservedWorkload,
  Reading,
} from '../../../lib/review/status/observation';
import type { ClusterLook } from '../../../lib/review/status/status';
import { DAY, HOUR } from '../../../packages/base/time-units';
import { issueCertificate } from '../../support/cluster/certificates';

export const NOW = Date.parse('2026-11-26T12:00:00Z');
export const KUBECTL = 'kubectl --context home';

const day = (days: number) => new Date(NOW + days * DAY);

/** A root, an issuer that it signed, and a CA of webhooks with the certificate of a server. */
export const ROOT = issueCertificate({ commonName: 'root', ca: true, notBefore: day(-1), notAfter: day(365) });
export const ISSUER = issueCertificate({
  commonName: 'identity',
  ca: true,
  issuer: ROOT,
  notBefore: day(-1),
  notAfter: day(2),
});
const WEBHOOK_CA = issueCertificate({ commonName: 'webhooks', ca: true, notBefore: day(-1), notAfter: day(30) });
export const SERVER = issueCertificate({
  commonName: 'injector',
  issuer: WEBHOOK_CA,
  notBefore: day(-1),
  notAfter: day(2),
});

const rootsHash = (pem: string) => createHash('sha256').update(pem).digest('hex');

export function read<T>(...items: readonly T[]): Reading<T> {
  return { is: 'read', items };
}

/** What may become of a list that is not read to its end. */
export const UNREAD: readonly Reading<never>[] = [
  { is: 'forbidden' },
  { is: 'failed', reason: 'late' },
  { is: 'read', items: [], truncated: true },
];

export function pod(changes: Partial<ObservedPod> = {}): ObservedPod {
  return {
    namespace: 'shop',
    name: 'web-1',
    workload: 'Deployment/web',
    created: NOW - HOUR,
    isOver: false,
    isHostNetwork: false,
    proxy: { release: 'edge-26.8.3', roots: rootsHash(ROOT.cert), isReady: true },
    ...changes,
  };
}

/** A pod with another proxy. */
export function podWith(changes: Partial<NonNullable<ObservedPod['proxy']>>): ObservedPod {
  const { proxy, ...others } = pod();
  return proxy === undefined ? others : { ...others, proxy: { ...proxy, ...changes } };
}

export function workload(name: string, changes: Partial<ObservedWorkload> = {}): ObservedWorkload {
  const images: Readonly<Record<string, string>> = name === 'linkerd-destination' ? { destination: 'edge-26.8.3' } : {};
  return { kind: 'Deployment', namespace: 'linkerd', name, wanted: 3, ready: 3, images, ...changes };
}

export const WORKLOADS = ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector'];

export function certificate(name: string, changes: Partial<ObservedCertificate> = {}): ObservedCertificate {
  return {
    namespace: 'linkerd',
    name,
    isReady: true,
    notAfter: NOW + 2 * DAY,
    renewalTime: NOW + DAY,
    revision: 4,
    ...changes,
  };
}

export function request(name: string, chain: string, revision = 4): ObservedRequest {
  return { namespace: 'linkerd', name: `${name}-${revision}`, certificate: name, revision, chain };
}

export const INJECTOR_WEBHOOK = {
  kind: 'MutatingWebhookConfiguration',
  name: 'linkerd-proxy-injector-webhook-config',
  caFrom: 'linkerd/linkerd-proxy-injector',
  caBundles: [WEBHOOK_CA.cert],
};

export const INTENT: ClusterIntent = {
  name: 'home',
  ring: { name: 'canary', revision: 'ring/canary' },
  source: {
    set: 'linkerd-mesh-home',
    project: 'linkerd-mesh',
    repoUrl: 'https://git.example.com/platform.git',
    destination: 'home',
  },
  release: 'edge-26.8.3',
  controlPlane: 'linkerd',
  folders: ['linkerd', 'shop'],
  meshNamespaces: ['linkerd'],
  injected: ['shop'],
  certificates: ['linkerd/linkerd-identity-issuer', 'linkerd/linkerd-proxy-injector'],
  workloads: WORKLOADS.map((name) => `Deployment linkerd/${name}`),
  webhooks: [`MutatingWebhookConfiguration ${INJECTOR_WEBHOOK.name}`],
  hasBundle: true,
  hasTrustAnchor: true,
  configs: ['linkerd'],
  links: ['linkerd-multicluster/east'],
};

const STABLE = { type: 'Ready', status: 'True', reason: 'Stable', message: 'fine', since: NOW - DAY };

export const TRUST_ANCHOR = {
  name: 'linkerd',
  conditions: [STABLE],
  isOutdated: false,
  phase: 'Stable',
  isPaused: false,
  slack: '340d',
  nextRotation: NOW + 100 * DAY,
  laggards: { pods: 0, workloads: [] },
};

export const CONFIG = {
  name: 'linkerd',
  conditions: [STABLE],
  isOutdated: false,
  inProgress: [],
  unmanagedPods: { count: 0, pods: [] },
  passedBy: { count: 0, workloads: [] },
};

export const SEEN: Observation = {
  namespaces: read(
    { name: 'shop', inject: 'enabled', isExempt: false },
    { name: 'linkerd', isExempt: true },
    { name: 'plain', isExempt: false },
  ),
  pods: read(pod()),
  workloads: read(...WORKLOADS.map((name) => workload(name))),
  certificates: read(certificate('linkerd-identity-issuer'), certificate('linkerd-proxy-injector')),
  requests: read(request('linkerd-identity-issuer', ISSUER.cert), request('linkerd-proxy-injector', SERVER.cert)),
  webhooks: read(INJECTOR_WEBHOOK),
  bundles: read({ namespace: 'linkerd', name: 'linkerd-identity-trust-roots', roots: ROOT.cert }),
  trustAnchors: read(TRUST_ANCHOR),
  configs: read(CONFIG),
  links: read({ namespace: 'linkerd-multicluster', name: 'east' }),
  gateways: read({ namespace: 'linkerd-multicluster', name: 'gateway', addresses: ['192.0.2.1'], created: 0 }),
  servers: read({ namespace: 'shop', name: 'web', accessPolicy: 'deny' }),
};

const COMMIT = 'a'.repeat(40);

export function application(folder: string, changes: Partial<ObservedApplication> = {}): ObservedApplication {
  return {
    name: `home-${folder}`,
    project: 'linkerd-mesh',
    repoUrl: 'https://git.example.com/platform.git',
    destination: 'home',
    isSyncing: false,
    path: `dist/home/${folder}`,
    targetRevision: 'ring/canary',
    sync: 'Synced',
    health: 'Healthy',
    revision: COMMIT,
    errors: [],
    warnings: [],
    resources: [],
    ...changes,
  };
}

const APPLICATIONS = [application('linkerd'), application('shop')];

/** What Argo CD has: Applications, and the ApplicationSet that generates them. */
export function argocd(
  applications: readonly ObservedApplication[],
  sets: readonly ObservedApplicationSet[] = [{ name: 'linkerd-mesh-home' }],
): NonNullable<ClusterLook['argocd']> {
  return { applications, sets };
}

/** A cluster that is as it should be, with some changes. */
export function look(seen: Partial<Observation> = {}, others: Partial<ClusterLook> = {}): ClusterLook {
  return {
    intent: INTENT,
    seen: { ...SEEN, ...seen },
    argocd: argocd(APPLICATIONS),
    now: NOW,
    kubectl: KUBECTL,
    ...others,
  };
}
