import type {
  Examination,
  ExaminedCertificate,
  ExaminedNamespace,
  ExaminedPod,
  ExaminedWebhook,
  ExaminedWorkload,
} from '../../../lib/review/doctor/examination';
import { NEEDED_RESOURCES } from '../../../lib/review/doctor/lists';
import { DAY, HOUR } from '../../../packages/base/time-units';
import { INJECTOR_WEBHOOK, ISSUER, NOW, podWith, ROOT, read, request, SEEN, SERVER } from '../status/healthy-mesh';

export const IDENTITY = 'Deployment linkerd/linkerd-identity';
export const CERT_MANAGER = 'Deployment cert-manager/cert-manager';

/** A ready workload of the mesh, with some changes. */
export function examined(name: string, changes: Partial<ExaminedWorkload> = {}): ExaminedWorkload {
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
export function platform(name: string, label: string, changes: Partial<ExaminedWorkload> = {}): ExaminedWorkload {
  return examined(name, { namespace: 'cert-manager', labels: { 'app.kubernetes.io/name': label }, ...changes });
}

export const CONTROL_PLANE = ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector'].map((name) =>
  examined(name),
);

const PLATFORM = [
  platform('cert-manager', 'cert-manager'),
  platform('cert-manager-cainjector', 'cainjector'),
  platform('trust-manager', 'trust-manager'),
];

/** All workloads, of which those with the same name are replaced. */
export function workloadsWith(...changed: readonly ExaminedWorkload[]): Examination['workloads'] {
  const names = new Set(changed.map(({ name }) => name));
  return read(...[...CONTROL_PLANE, ...PLATFORM].filter(({ name }) => !names.has(name)), ...changed);
}

/** All workloads without one. */
export function workloadsWithout(missing: string): Examination['workloads'] {
  return read(...[...CONTROL_PLANE, ...PLATFORM].filter(({ name }) => name !== missing));
}

export function certificateOf(name: string, changes: Partial<ExaminedCertificate> = {}): ExaminedCertificate {
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

/** The Certificates of the mesh, with changes to the identity issuer. */
export function certificatesWith(changes: Partial<ExaminedCertificate>): Examination['certificates'] {
  return read(
    certificateOf('linkerd-identity-issuer', changes),
    certificateOf('linkerd-proxy-injector'),
    certificateOf('anchor', {
      namespace: 'cert-manager',
      issuer: 'Issuer cert-manager/self',
      notAfter: NOW + 300 * DAY,
    }),
  );
}

export const WEBHOOK: ExaminedWebhook = {
  ...INJECTOR_WEBHOOK,
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

export function examinedPod(changes: Partial<ExaminedPod> = {}): ExaminedPod {
  return {
    ...podWith({}),
    isReady: true,
    node: 'a',
    labels: { app: 'web' },
    troubled: [],
    hasStarted: true,
    ...changes,
  };
}

/** A pod of a workload of the mesh that does not become ready. */
export function troubledPod(name: string, changes: Partial<ExaminedPod>, namespace = 'linkerd'): ExaminedPod {
  const { proxy: _, ...bare } = examinedPod();
  return {
    ...bare,
    namespace,
    name: `${name}-1`,
    workload: `Deployment/${name}`,
    isReady: false,
    hasStarted: false,
    ...changes,
  };
}

const NODE = { isReady: true, isCordoned: false, taints: [] };
const READY = { type: 'Ready', status: 'True', reason: 'Ready', message: '' };

/** A cluster in which nothing is wrong. */
export const HEALTHY: Examination = {
  ...SEEN,
  trustAnchors: read(),
  configs: read(),
  namespaces: read<ExaminedNamespace>(
    { name: 'shop', inject: 'enabled', isExempt: false, labels: {} },
    { name: 'linkerd', isExempt: true, labels: { 'linkerd.io/is-control-plane': 'true' } },
    { name: 'cert-manager', isExempt: false, labels: {} },
    { name: 'kube-system', isExempt: false, labels: {} },
    { name: 'plain', isExempt: false, labels: {} },
  ),
  nodes: read({ name: 'a', ...NODE }, { name: 'b', ...NODE }),
  pods: read(examinedPod()),
  workloads: workloadsWith(),
  events: read(),
  quotas: read(),
  controllers: read(),
  authorizations: read({ namespace: 'shop', server: 'web' }),
  endpoints: read({ namespace: 'linkerd', service: 'linkerd-proxy-injector', ready: 3 }),
  webhooks: read(WEBHOOK),
  policies: read({ name: 'linkerd-require-proxy-shop' }),
  certificates: certificatesWith({}),
  requests: read(request('linkerd-identity-issuer', ISSUER.cert), request('linkerd-proxy-injector', SERVER.cert)),
  issuers: read(
    { issuer: 'ClusterIssuer mesh', ready: READY, secretName: 'anchor' },
    { issuer: 'Issuer cert-manager/self', ready: READY },
  ),
  trustBundles: read({ name: 'linkerd-identity-trust-roots', synced: { ...READY, type: 'Synced' } }),
  bundles: read({ namespace: 'linkerd', name: 'linkerd-identity-trust-roots', roots: ROOT.cert }),
  installed: read({ namespace: 'linkerd' }),
  budgets: read(),
  leases: read(),
  clocks: read(NOW),
  applications: read(),
  resources: read(...Object.values(NEEDED_RESOURCES).flat()),
};
