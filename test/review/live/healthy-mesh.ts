import { createHash } from 'node:crypto';
import { DAY, HOUR } from '#base/time-units';
import type { ObservedApplication, ObservedApplicationSet } from '#lib/review/live/applications';
import type { ObservedCertificate, ObservedRequest, ObservedWebhook } from '#lib/review/live/certificates';
import {
  type DoctorObservation,
  NEEDED_RESOURCES,
  type Reading,
  type StatusObservation,
} from '#lib/review/live/observation';
import type { ObservedPod } from '#lib/review/live/pods';
import type { ObservedNamespace, ObservedWorkload } from '#lib/review/live/workloads';
import type { ClusterIntent } from '#lib/review/status/intent';
import type { ClusterInput } from '#lib/review/status/status';
import { issueCertificate } from '../../support/cluster/certificates';

export const NOW = Date.parse('2026-11-26T12:00:00Z');
export const KUBECTL = 'kubectl --context home';

const day = (days: number) => new Date(NOW + days * DAY);

/** A root, an issuer signed by it, and a CA of webhooks with the certificate of a server. */
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

/** The possible results of an incomplete list. */
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
    labels: { app: 'web' },
    node: 'a',
    isReady: true,
    troubled: [],
    hasStarted: true,
    ...changes,
  };
}

/** A pod with these changes of its proxy. */
export function podWith(changes: Partial<NonNullable<ObservedPod['proxy']>>): ObservedPod {
  const { proxy, ...others } = pod();
  return proxy === undefined ? others : { ...others, proxy: { ...proxy, ...changes } };
}

export function barePod(changes: Partial<ObservedPod> = {}): ObservedPod {
  const { proxy: _, ...bare } = pod(changes);
  return bare;
}

/** A pod of the mesh that does not become ready. */
export function troubledPod(name: string, changes: Partial<ObservedPod>, namespace = 'linkerd'): ObservedPod {
  return {
    ...barePod(),
    namespace,
    name: `${name}-1`,
    workload: `Deployment/${name}`,
    isReady: false,
    hasStarted: false,
    ...changes,
  };
}

export const CERT_MANAGER = 'Deployment cert-manager/cert-manager';

/** A ready workload of the mesh, with some changes. */
export function workload(name: string, changes: Partial<ObservedWorkload> = {}): ObservedWorkload {
  return {
    kind: 'Deployment',
    namespace: 'linkerd',
    name,
    wanted: 3,
    ready: 3,
    running: 3,
    images: name === 'linkerd-destination' ? { destination: 'edge-26.8.3' } : {},
    labels: { 'linkerd.io/control-plane-ns': 'linkerd' },
    podLabels: {},
    ...changes,
  };
}

/** A workload of cert-manager. */
export function platform(name: string, label: string, changes: Partial<ObservedWorkload> = {}): ObservedWorkload {
  return workload(name, { namespace: 'cert-manager', labels: { 'app.kubernetes.io/name': label }, ...changes });
}

export const CONTROL_PLANE = ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector'].map((name) =>
  workload(name),
);

const PLATFORM = [
  platform('cert-manager', 'cert-manager'),
  platform('cert-manager-cainjector', 'cainjector'),
  platform('trust-manager', 'trust-manager'),
];

/** All workloads, with these in place of those of the same name. */
export function workloadsWith(...changed: readonly ObservedWorkload[]): DoctorObservation['workloads'] {
  const names = new Set(changed.map(({ name }) => name));
  return read(...[...CONTROL_PLANE, ...PLATFORM].filter(({ name }) => !names.has(name)), ...changed);
}

export function workloadsWithout(missing: string): DoctorObservation['workloads'] {
  return read(...[...CONTROL_PLANE, ...PLATFORM].filter(({ name }) => name !== missing));
}

export function certificate(name: string, changes: Partial<ObservedCertificate> = {}): ObservedCertificate {
  return {
    namespace: 'linkerd',
    name,
    secretName: name,
    isReady: true,
    notAfter: NOW + 2 * DAY,
    renewalTime: NOW + DAY,
    revision: 4,
    issuer: 'ClusterIssuer mesh',
    ...changes,
  };
}

export const ENDED = { notAfter: NOW - HOUR, renewalTime: NOW - DAY, revision: 5 };

const ANCHOR = certificate('anchor', {
  namespace: 'cert-manager',
  issuer: 'Issuer cert-manager/self',
  notAfter: NOW + 300 * DAY,
  renewalTime: NOW + 200 * DAY,
});

/** The Certificates of the mesh, with these changes of the identity issuer. */
export function certificatesWith(changes: Partial<ObservedCertificate>): DoctorObservation['certificates'] {
  return read(certificate('linkerd-identity-issuer', changes), certificate('linkerd-proxy-injector'), ANCHOR);
}

export function request(name: string, chain: string, revision = 4): ObservedRequest {
  return { namespace: 'linkerd', name: `${name}-${revision}`, certificate: name, revision, chain };
}

export const WEBHOOK: ObservedWebhook = {
  kind: 'MutatingWebhookConfiguration',
  name: 'linkerd-proxy-injector-webhook-config',
  caFrom: 'linkerd/linkerd-proxy-injector',
  caBundles: [WEBHOOK_CA.cert],
  hooks: [
    {
      name: 'linkerd-proxy-injector.linkerd.io',
      service: 'linkerd/linkerd-proxy-injector',
      isFailing: true,
      catchesPods: true,
      namespaceSelector: { matchExpressions: [{ key: 'covered', operator: 'Exists' }] },
    },
  ],
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
  workloads: CONTROL_PLANE.map(({ name }) => `Deployment linkerd/${name}`),
  webhooks: [`MutatingWebhookConfiguration ${WEBHOOK.name}`],
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

const NODE = { isReady: true, isCordoned: false, taints: [] };
const READY = { type: 'Ready', status: 'True', reason: 'Ready', message: '' };

/** A cluster without problems. */
export const HEALTHY: DoctorObservation = {
  namespaces: read<ObservedNamespace>(
    { name: 'shop', inject: 'enabled', isExempt: false, labels: {} },
    { name: 'linkerd', isExempt: true, labels: { 'linkerd.io/is-control-plane': 'true' } },
    { name: 'cert-manager', isExempt: false, labels: {} },
    { name: 'kube-system', isExempt: false, labels: {} },
    { name: 'plain', isExempt: false, labels: {} },
  ),
  nodes: read({ name: 'a', ...NODE }, { name: 'b', ...NODE }),
  pods: read(pod()),
  workloads: workloadsWith(),
  controllers: read(),
  budgets: read(),
  events: read(),
  quotas: read(),
  endpoints: read({ namespace: 'linkerd', service: 'linkerd-proxy-injector', ready: 3 }),
  webhooks: read(WEBHOOK),
  policies: read({ namespace: '', name: 'linkerd-require-proxy-shop' }),
  certificates: certificatesWith({}),
  requests: read(request('linkerd-identity-issuer', ISSUER.cert), request('linkerd-proxy-injector', SERVER.cert)),
  issuers: read(
    { issuer: 'ClusterIssuer mesh', ready: READY, secretName: 'anchor' },
    { issuer: 'Issuer cert-manager/self', ready: READY },
  ),
  trustBundles: read({ name: 'linkerd-identity-trust-roots', synced: { ...READY, type: 'Synced' } }),
  bundles: read({ namespace: 'linkerd', name: 'linkerd-identity-trust-roots', roots: ROOT.cert }),
  installed: read({ namespace: 'linkerd' }),
  leases: read(),
  clocks: read(NOW),
  trustAnchors: read(TRUST_ANCHOR),
  configs: read(CONFIG),
  links: read({ namespace: 'linkerd-multicluster', name: 'east' }),
  gateways: read({ namespace: 'linkerd-multicluster', name: 'gateway', addresses: ['192.0.2.1'], created: 0 }),
  servers: read({ namespace: 'shop', name: 'web', accessPolicy: 'deny' }),
  authorizations: read({ namespace: 'shop', server: 'web' }),
  applications: read(),
  resources: read(...Object.values(NEEDED_RESOURCES).flat()),
};

const COMMIT = 'a'.repeat(40);

export function application(folder: string, changes: Partial<ObservedApplication> = {}): ObservedApplication {
  return {
    name: `home-${folder}`,
    project: 'linkerd-mesh',
    repoUrl: 'https://git.example.com/platform.git',
    destination: 'home',
    isSyncing: false,
    isAutomated: true,
    path: `dist/home/${folder}`,
    targetRevision: 'ring/canary',
    sync: 'Synced',
    health: 'Healthy',
    revision: COMMIT,
    errors: [],
    warnings: [],
    resources: [],
    namespaces: [folder],
    ...changes,
  };
}

const APPLICATIONS = [application('linkerd'), application('shop')];

/** The Applications, and the ApplicationSet that generates them. */
export function argocd(
  applications: readonly ObservedApplication[],
  sets: readonly ObservedApplicationSet[] = [{ name: 'linkerd-mesh-home' }],
): NonNullable<ClusterInput['argocd']> {
  return { applications, sets };
}

/** A healthy cluster with some changes. */
export function home(seen: Partial<StatusObservation> = {}, others: Partial<ClusterInput> = {}): ClusterInput {
  return {
    intent: INTENT,
    seen: { ...HEALTHY, ...seen },
    argocd: argocd(APPLICATIONS),
    now: NOW,
    kubectl: KUBECTL,
    ...others,
  };
}
