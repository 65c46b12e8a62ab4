import { DAY, HOUR, MINUTE } from '#base/time-units';
import { doctorReport } from '#lib/review/doctor/doctor';
import { doctorText } from '#lib/review/doctor/formats/text';
import type { ObservedIssuer, ObservedRequest } from '#lib/review/live/certificates';
import { DOCTOR_LISTS, type DoctorObservation } from '#lib/review/live/observation';
import { observePod } from '#lib/review/live/pods';
import type { ObservedWorkload } from '#lib/review/live/workloads';
import { statusFinding } from '#lib/review/status/finding';
import { INTENT_FINDINGS } from '#lib/review/status/intent-findings';
import { issueCertificate } from '../../support/cluster/certificates';
import {
  application,
  barePod,
  CERT_MANAGER,
  CONFIG,
  CONTROL_PLANE,
  certificate,
  certificatesWith,
  ENDED,
  HEALTHY,
  INTENT,
  ISSUER,
  NOW,
  platform,
  pod,
  podWith,
  ROOT,
  read,
  request,
  TRUST_ANCHOR,
  troubledPod,
  UNREAD,
  WEBHOOK,
  workload,
  workloadsWith,
  workloadsWithout,
} from '../live/healthy-mesh';

type Changes = Partial<DoctorObservation>;

function reportOf(changes: Changes) {
  return doctorReport({ seen: { ...HEALTHY, ...changes }, now: NOW, kubectl: 'kubectl' });
}

function causesOf(changes: Changes) {
  return reportOf(changes)?.causes ?? [];
}

/** The codes of the first chain, beginning with the cause. */
function firstChain(changes: Changes): readonly string[] {
  return causesOf(changes)[0]?.chain.map(({ problem }) => problem.code) ?? [];
}

/** The codes of the first chain, with the cause of the first finding. */
function firstChainWithCause(changes: Changes): readonly string[] {
  const [first, ...others] = firstChain(changes);
  const { cause } = causesOf(changes)[0]?.cause.problem ?? {};
  return first === undefined ? [] : [cause === undefined ? first : `${first}/${cause}`, ...others];
}

const STOPPED = { ready: 0, running: 0 };
const AWAY = platform('cert-manager', 'cert-manager', { wanted: 0, ...STOPPED });
const condition = (type: string, reason: string) => ({ type, status: 'False', reason, message: 'why' });

test('doctor reports no cause in a healthy mesh', () => {
  const report = doctorReport({ seen: HEALTHY, now: NOW, kubectl: 'kubectl' });
  expect(report?.causes).toEqual([]);
  expect(report?.others).toEqual([]);
  expect(report?.read).toMatchObject({ nodes: 2, pods: 1, 'deployments and daemonsets': 6 });
});

const refusedIdentity = (message: string) =>
  workloadsWith(workload('linkerd-identity', { ...STOPPED, refusal: { message, since: NOW - HOUR } }));
const stoppedIdentity = workloadsWith(workload('linkerd-identity', STOPPED));
const event = (object: string, reason: string, last = NOW - MINUTE, namespace = 'linkerd') => ({
  namespace,
  object,
  reason,
  message: 'why',
  last,
});
const mountFailure = (pod: string, last?: number) => event(`Pod/${pod}`, 'FailedMount', last);
const identityPod = (changes: Parameters<typeof troubledPod>[1]) => read(troubledPod('linkerd-identity', changes));
/** A cluster whose identity is stopped, with these problems of its pod. */
const stopped = (changes: Parameters<typeof troubledPod>[1] = {}) => ({
  workloads: stoppedIdentity,
  pods: identityPod(changes),
});
const STOPS = ['workload-unavailable', 'identity-stopped'];
const REFUSED = ['pods-refused', ...STOPS];
const NO = { message: 'no' };
const linkerdNamespace = (changes: object) => read({ name: 'linkerd', isExempt: true, labels: {}, ...changes });
const node = (changes: object) => ({ name: 'a', isReady: true, isCordoned: false, taints: [], ...changes });
const SELF = { issuer: 'Issuer cert-manager/self', ready: { ...condition('Ready', ''), status: 'True' } };
const ANCHOR = { namespace: 'cert-manager', issuer: 'Issuer cert-manager/self' };
const rootsOf = (commonName: string, valid: { notBefore?: Date; notAfter: Date }) =>
  read({
    namespace: 'linkerd',
    name: 'linkerd-identity-trust-roots',
    roots: issueCertificate({ commonName, ca: true, ...valid }).cert,
  });
const trouble = (reason: string) => ({ name: 'identity', reason, message: 'why', image: 'x' });

test.each<[string, readonly string[], Changes]>([
  [
    'cert-manager is scaled to 0',
    ['workload-scaled-down', 'renewals-stopped', 'certificate-expired', 'identity-stopped'],
    { workloads: workloadsWith(AWAY), certificates: certificatesWith(ENDED) },
  ],
  [
    'cert-manager is missing',
    ['workload-missing', 'renewals-stopped'],
    { workloads: workloadsWithout('cert-manager') },
  ],
  [
    'cert-manager has no leader',
    ['leader-missing', 'renewals-stopped'],
    {
      leases: read({
        namespace: 'kube-system',
        name: 'cert-manager-controller',
        holder: 'x',
        renewed: NOW - HOUR,
        durationSeconds: 60,
      }),
    },
  ],
  ['no node is ready', ['nodes-not-ready', ...STOPS], { ...stopped(), nodes: read(node({ isReady: false })) }],
  [
    'the nodes are tainted',
    ['nodes-closed', 'pods-unscheduled', ...STOPS],
    { ...stopped({ unscheduled: NO }), nodes: read(node({ taints: ['x'] })) },
  ],
  ['the nodes are full', ['pods-unscheduled', ...STOPS], stopped({ unscheduled: NO })],
  ['an image cannot be pulled', ['image-unpullable', ...STOPS], stopped({ troubled: [trouble('ImagePullBackOff')] })],
  ['a container crashes', ['container-not-starting', ...STOPS], stopped({ troubled: [trouble('CrashLoopBackOff')] })],
  [
    'a quota is exhausted',
    ['quota-exhausted', ...REFUSED],
    {
      quotas: read({ namespace: 'linkerd', name: 'savings', exhausted: ['pods 0'] }),
      workloads: refusedIdentity('pods "x" is forbidden: exceeded quota: savings, requested: pods=1'),
    },
  ],
  ...(
    [
      ['must specify limits.cpu for: linkerd-proxy,linkerd-init; limits.memory for: linkerd-proxy', 'proxy'],
      ['must specify limits.cpu for: web', undefined],
      ['must specify limits.cpu,limits.memory', undefined],
    ] as const
  ).map(([demand, cause]): [string, readonly string[], Changes] => [
    `a quota demands what containers lack: ${demand}`,
    [`quota-unspecified${cause === undefined ? '' : `/${cause}`}`, ...REFUSED],
    { workloads: refusedIdentity(`pods "x-5" is forbidden: failed quota: savings: ${demand}`) },
  ]),
  ...[
    'maximum cpu usage per Container is 500m, but limit is 1',
    'maximum memory usage per Pod is 1Gi, but limit is 2Gi',
    'maximum memory usage per Container is 1Gi.  No limit is specified',
    'minimum memory usage per Container is 64Mi, but request is 20Mi',
    'cpu max limit to request ratio per Container is 2, but provided ratio is 10.000000',
  ].map((limit): [string, readonly string[], Changes] => [
    `a LimitRange refuses pods: ${limit}`,
    ['limit-range-refuses', ...REFUSED],
    { workloads: refusedIdentity(`pods "x-5" is forbidden: [${limit}]`) },
  ]),
  [
    'pod security refuses pods',
    ['pod-security-refuses', ...REFUSED],
    {
      namespaces: linkerdNamespace({ labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } }),
      workloads: refusedIdentity('pods "x" is forbidden: violates PodSecurity "restricted:latest": …'),
    },
  ],
  [
    'the namespace of the control plane is being deleted',
    ['namespace-terminating', 'workload-missing', 'identity-stopped'],
    {
      namespaces: linkerdNamespace({ terminating: { message: 'finalizers' } }),
      workloads: workloadsWithout('linkerd-identity'),
    },
  ],
  [
    'an unavailable API blocks a deletion',
    ['api-unavailable', 'namespace-terminating'],
    {
      namespaces: linkerdNamespace({ terminating: { message: 'discovery failed' } }),
      webhooks: read(WEBHOOK, {
        kind: 'APIService',
        name: 'v1alpha1.tap.linkerd.io',
        caBundles: [],
        hooks: [],
        unavailable: NO,
      }),
    },
  ],
  [
    'kinds are missing',
    ['kinds-missing', 'container-not-starting', 'workload-unavailable', 'destination-stopped'],
    {
      resources: read(),
      workloads: workloadsWith(workload('linkerd-destination', STOPPED)),
      pods: read(troubledPod('linkerd-destination', { troubled: [trouble('CrashLoopBackOff')] })),
    },
  ],
  [
    'Argo CD cannot sync missing objects',
    ['application-sync-failed', 'workload-missing', 'identity-stopped'],
    {
      applications: read(application('linkerd', { sync: 'OutOfSync', failure: NO })),
      workloads: workloadsWithout('linkerd-identity'),
    },
  ],
  [
    'Argo CD does not sync missing objects automatically',
    ['application-paused', 'workload-missing', 'identity-stopped'],
    {
      applications: read(application('linkerd', { sync: 'OutOfSync', isAutomated: false })),
      workloads: workloadsWithout('linkerd-identity'),
    },
  ],
  [
    'an issuer is missing',
    ['issuer-missing', 'certificate-expired', 'identity-stopped'],
    { issuers: read(SELF), certificates: certificatesWith(ENDED) },
  ],
  [
    'the anchor of an issuer has expired',
    ['certificate-expired', 'issuer-not-ready', 'certificate-renewal-overdue'],
    {
      issuers: read<ObservedIssuer>(
        { issuer: 'ClusterIssuer mesh', ready: condition('Ready', 'NoKey'), secretName: 'anchor' },
        SELF,
      ),
      certificates: read(
        certificate('linkerd-identity-issuer', { renewalTime: NOW - 2 * HOUR }),
        certificate('anchor', { ...ANCHOR, ...ENDED }),
      ),
    },
  ],
  [
    'a request was denied',
    ['request-refused', 'certificate-renewal-overdue'],
    {
      requests: read<ObservedRequest>(request('linkerd-identity-issuer', ISSUER.cert), {
        ...request('linkerd-identity-issuer', '', 5),
        refusal: { reason: 'Denied', message: 'no' },
      }),
      certificates: certificatesWith({ renewalTime: NOW - 2 * HOUR }),
    },
  ],
  [
    'a clock is wrong',
    ['certificate-not-valid-yet', 'identity-stopped'],
    {
      requests: read(
        request(
          'linkerd-identity-issuer',
          issueCertificate({
            commonName: 'identity',
            ca: true,
            issuer: ROOT,
            notBefore: new Date(NOW + HOUR),
            notAfter: new Date(NOW + DAY),
          }).cert,
        ),
      ),
    },
  ],
  [
    'trust-manager is away, and a new root signs',
    ['workload-scaled-down', 'issuer-untrusted', 'identity-stopped'],
    {
      workloads: workloadsWith(platform('trust-manager', 'trust-manager', { wanted: 0, ...STOPPED })),
      bundles: rootsOf('other', { notAfter: new Date(NOW + DAY) }),
      pods: read(),
    },
  ],
  [
    'the Bundle has no source',
    ['roots-not-synced', 'trust-roots-missing', 'identity-stopped'],
    { trustBundles: read({ name: 'x', synced: condition('Synced', 'SourceNotFound') }), bundles: read() },
  ],
  [
    'all roots have expired',
    ['roots-expired', 'issuer-untrusted', 'identity-stopped'],
    { bundles: rootsOf('root', { notBefore: new Date(NOW - DAY), notAfter: new Date(NOW - HOUR) }), pods: read() },
  ],
  [
    'identity skips the new issuer',
    ['issuer-not-taken-up'],
    {
      events: read(event('Deployment/linkerd-identity', 'IssuerUpdateSkipped')),
      pods: read({ ...troubledPod('linkerd-identity', {}), isReady: true }),
    },
  ],
  [
    'the injector is missing',
    ['workload-missing', 'webhook-unreachable', 'injection-stopped'],
    {
      workloads: workloadsWithout('linkerd-proxy-injector'),
      endpoints: read({ namespace: 'linkerd', service: 'linkerd-proxy-injector', ready: 0 }),
    },
  ],
  ['the Service of the injector is missing', ['webhook-unreachable', 'injection-stopped'], { endpoints: read() }],
  [
    'the certificate of the injector has expired',
    ['certificate-expired', 'injection-stopped'],
    {
      certificates: read(
        certificate('linkerd-identity-issuer'),
        certificate('linkerd-proxy-injector', ENDED),
        certificate('anchor', ANCHOR),
      ),
    },
  ],
  [
    'cainjector is away, and the CA is empty',
    ['workload-scaled-down', 'webhook-ca-missing', 'injection-stopped'],
    {
      workloads: workloadsWith(platform('cert-manager-cainjector', 'cainjector', { wanted: 0, ...STOPPED })),
      webhooks: read({ ...WEBHOOK, caBundles: [''] }),
    },
  ],
  [
    'the webhook of the injector is missing, and a policy refuses pods',
    ['webhook-missing', 'injection-stopped', 'policy-refuses-pods', 'pods-refused'],
    {
      webhooks: read(),
      workloads: workloadsWith(
        workload('web', {
          namespace: 'shop',
          labels: {},
          refusal: {
            message: "ValidatingAdmissionPolicy 'linkerd-require-proxy-shop' with binding 'x' denied request",
          },
        }),
      ),
    },
  ],
  [
    'another webhook refuses pods',
    ['webhook-unreachable', ...REFUSED],
    {
      webhooks: read(WEBHOOK, {
        kind: 'ValidatingWebhookConfiguration',
        name: 'other',
        caBundles: [],
        hooks: [{ name: 'pods.other', service: 'other/other', isFailing: true, catchesPods: true }],
      }),
      workloads: refusedIdentity('failed calling webhook "pods.other": service not found'),
    },
  ],
  [
    'a Secret that identity mounts lacks a key',
    ['volume-not-mounted', ...STOPS],
    { ...stopped(), events: read(mountFailure('linkerd-identity-1')) },
  ],
  [
    'the identity issuer was never issued, and identity waits for its Secret',
    ['certificate-not-ready', 'volume-not-mounted', ...STOPS],
    {
      ...stopped(),
      certificates: certificatesWith({ isReady: false, notAfter: undefined as never }),
      events: read(mountFailure('linkerd-identity-1')),
    },
  ],
  [
    'identity refuses requests',
    ['issuer-refused', 'identity-stopped'],
    { events: read(event('Deployment/linkerd-identity', 'IssuerValidationFailed')) },
  ],
  [
    'destination is scaled to 0',
    ['workload-scaled-down', 'destination-stopped', 'proxies-not-ready'],
    {
      workloads: workloadsWith(workload('linkerd-destination', { wanted: 0, ...STOPPED })),
      pods: read({ ...podWith({ isReady: false }), isReady: false }),
    },
  ],
])('if %s, doctor reports this cause', (_where, chain, changes) => {
  const [first = ''] = chain;
  expect(first.includes('/') ? firstChainWithCause(changes) : firstChain(changes)).toEqual(chain);
});

const TIMEOUTS = [
  'context deadline exceeded',
  'dial tcp 10.4.1.7:8443: i/o timeout',
  'dial tcp 10.4.1.7:8443: connect: no route to host',
  'dial tcp 10.4.1.7:8443: connect: connection timed out',
  'net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
  'net/http: TLS handshake timeout',
];
const SERVED = read({ namespace: 'linkerd', service: 'linkerd-proxy-injector', ready: 3, ports: [8443] });
const failedCall = (error: string) =>
  `Internal error occurred: failed calling webhook "linkerd-proxy-injector.linkerd.io": failed to call webhook: Post "https://linkerd-proxy-injector.linkerd.svc:443/?timeout=10s": ${error}`;

test.each(TIMEOUTS)('doctor names the port of a webhook whose endpoints the API server cannot reach: %s', (error) => {
  const web = workload('web', { namespace: 'shop', labels: {}, refusal: { message: failedCall(error) } });
  const changes = { endpoints: SERVED, workloads: workloadsWith(web) };
  const [first] = causesOf(changes);
  expect(firstChainWithCause(changes)).toEqual(['webhook-unreachable/network', 'injection-stopped', 'pods-refused']);
  expect(first?.cause.problem.parameters).toMatchObject({ service: 'linkerd/linkerd-proxy-injector', ports: '8443' });
  expect(first?.cause.problem.why).toContain('GKE');
  // Without a ready endpoint, the cause is another one.
  const down = read({ namespace: 'linkerd', service: 'linkerd-proxy-injector', ready: 0, ports: [8443] });
  expect(firstChainWithCause({ ...changes, endpoints: down })[0]).toBe('webhook-unreachable/endpoints');
});

test('doctor distinguishes an invalid response of a webhook from an unreachable webhook', () => {
  const message = failedCall('x509: certificate signed by unknown authority');
  const web = workload('web', { namespace: 'shop', labels: {}, refusal: { message } });
  expect(firstChain({ endpoints: SERVED, workloads: workloadsWith(web) })).toEqual(['pods-refused']);
});

test('doctor names the port of an APIService whose pods the API server cannot reach', () => {
  const tap = {
    kind: 'APIService',
    name: 'v1alpha1.tap.linkerd.io',
    caBundles: [],
    hooks: [{ name: '', service: 'linkerd-viz/tap', isFailing: false, catchesPods: false }],
    unavailable: { message: `failing or missing response from https://10.0.3.4:443/apis: ${TIMEOUTS[0]}` },
  };
  const endpoints = (ready: number) =>
    read(
      { namespace: 'linkerd', service: 'linkerd-proxy-injector', ready: 3 },
      { namespace: 'linkerd-viz', service: 'tap', ready, ports: [8089] },
    );
  expect(firstChainWithCause({ webhooks: read(WEBHOOK, tap), endpoints: endpoints(1) })).toEqual([
    'webhook-unreachable/network',
    'api-unavailable',
  ]);
  expect(
    firstChain({ webhooks: read(WEBHOOK, { ...tap, unavailable: { message: 'no' } }), endpoints: endpoints(1) }),
  ).toEqual(['api-unavailable']);
});

test('doctor attributes a waiting sync to a webhook that the API server cannot reach', () => {
  const failure = { message: failedCall(TIMEOUTS[1] ?? '') };
  const applications = read(application('linkerd', { sync: 'OutOfSync', failure }));
  expect(causesOf({ endpoints: SERVED, applications })[0]?.chain.map(({ problem }) => problem.code)).toEqual([
    'webhook-unreachable',
    'injection-stopped',
    'application-sync-failed',
  ]);
});

const OTHER_WEBHOOK = {
  kind: 'ValidatingWebhookConfiguration',
  name: 'cnpg',
  caBundles: [],
  hooks: [{ name: 'v.cnpg.io', service: 'shop/cnpg', isFailing: true, catchesPods: false }],
};
const guardedBy = (inbound: object, others: Changes = {}): Changes => ({
  webhooks: read(WEBHOOK, OTHER_WEBHOOK),
  endpoints: read(
    { namespace: 'linkerd', service: 'linkerd-proxy-injector', ready: 3 },
    { namespace: 'shop', service: 'cnpg', ready: 1, ports: [9443], pods: ['web-1'] },
  ),
  pods: read({ ...pod(), inbound }),
  servers: read(),
  authorizations: read(),
  ...others,
});
const server = (changes: object = {}) => ({
  servers: read({ namespace: 'shop', name: 'hook', accessPolicy: 'deny', podSelector: {}, port: 9443, ...changes }),
});

test.each<[boolean, string, Changes]>([
  [true, 'the default policy deny', guardedBy({ policy: 'deny' })],
  [true, 'the default policy all-authenticated', guardedBy({ policy: 'all-authenticated' })],
  [true, 'the default policy cluster-authenticated', guardedBy({ policy: 'cluster-authenticated' })],
  [false, 'the default policy all-unauthenticated', guardedBy({ policy: 'all-unauthenticated' })],
  [false, 'the default policy audit', guardedBy({ policy: 'audit' })],
  [false, 'an unknown policy', guardedBy({})],
  [false, 'a port that bypasses the proxy', guardedBy({ policy: 'deny', skipped: '80,9000-9500' })],
  [false, 'no proxy', guardedBy({}, { pods: read(barePod({ inbound: { policy: 'deny' } })) })],
  [false, 'unreadable Servers', guardedBy({ policy: 'deny' }, { servers: { is: 'forbidden' } })],
  [true, 'a Server', guardedBy({}, server())],
  [true, 'a Server by the name of a port', guardedBy({ ports: { hook: 9443 } }, server({ port: 'hook' }))],
  [false, 'a Server of another port', guardedBy({}, server({ port: 80 }))],
  [false, 'a Server that permits all', guardedBy({ policy: 'deny' }, server({ accessPolicy: 'all-unauthenticated' }))],
  [
    true,
    'a Server that only meshed clients may reach',
    guardedBy(
      {},
      { ...server(), authorizations: read({ namespace: 'shop', server: 'hook', isMeshed: true as const }) },
    ),
  ],
  [
    false,
    'a Server that networks may reach',
    guardedBy({}, { ...server(), authorizations: read({ namespace: 'shop', server: 'hook' }) }),
  ],
  [
    false,
    'a Server with routes that networks may reach',
    guardedBy({}, { ...server(), authorizations: read({ namespace: 'shop' }) }),
  ],
])('doctor detects if pods refuse calls of the API server to their webhook: %j for %s', (refuses, _for, changes) => {
  const found = causesOf(changes)
    .map(({ cause }) => [cause.problem.code, cause.problem.parameters])
    .filter(([code]) => code !== 'pods-without-proxy');
  const parameters = expect.objectContaining({
    webhook: 'ValidatingWebhookConfiguration cnpg',
    service: 'shop/cnpg',
    port: '9443',
  });
  expect(found).toEqual(refuses ? [['webhook-denied', parameters]] : []);
});

test('doctor has a fix for each finding in addition to the causes', () => {
  const report = reportOf({ clocks: read(NOW - 10 * MINUTE) });
  if (report === undefined) throw new Error('There is no report.');
  expect(doctorText(report)).toMatch(/warning \[clock-differs\].*\n {4}Fix: set the clocks by NTP/);
});

const OPERATOR = workload('linkerd-reconciler', {
  namespace: 'linkerd-reconciler',
  labels: { 'app.kubernetes.io/name': 'linkerd-reconciler' },
});
const away = (part: ObservedWorkload) => workloadsWith(OPERATOR, { ...part, wanted: 0, ...STOPPED });
const without = (group: string) =>
  read(...(HEALTHY.resources.is === 'read' ? HEALTHY.resources.items : []).filter((name) => !name.endsWith(group)));

test.each<[string, readonly string[], Changes]>([
  ['BundleMissing', ['workload-scaled-down'], { workloads: away(platform('trust-manager', 'trust-manager')) }],
  [
    'BundleMissing',
    ['roots-not-synced'],
    { trustBundles: read({ name: 'x', synced: { ...condition('Synced', 'NoSource'), since: NOW - HOUR } }) },
  ],
  ['BundleOfHelm', ['workload-scaled-down'], { workloads: away(platform('trust-manager', 'trust-manager')) }],
  ['IssuerMissing', ['workload-scaled-down'], { workloads: away(platform('cert-manager', 'cert-manager')) }],
  ['ForeignRoot', ['workload-scaled-down'], { workloads: away(platform('trust-manager', 'trust-manager')) }],
  ['NoIdentity', ['workload-scaled-down'], { workloads: away(workload('linkerd-identity')) }],
  ['Overdue', ['workload-scaled-down'], { workloads: away(workload('linkerd-identity')) }],
  ['NotIssued', ['workload-scaled-down'], { workloads: away(platform('cert-manager', 'cert-manager')) }],
  ['IssuerExpired', ['certificate-expired'], { certificates: certificatesWith(ENDED) }],
  ['NotUpToDate', ['kinds-missing'], { resources: without('.cert-manager.io') }],
  ['Unreadable', ['kinds-missing'], { resources: without('.trust.cert-manager.io') }],
  ['InjectorMissing', ['workload-scaled-down'], { workloads: away(workload('linkerd-proxy-injector')) }],
  ['WriteRefused', [], { workloads: away(workload('linkerd-identity')) }],
])('doctor attributes an anchor that is degraded for %s to %j', (reason, causes, changes) => {
  const degraded = { ...condition('Degraded', reason), status: 'True', since: NOW };
  const trustAnchors = read({ ...TRUST_ANCHOR, conditions: [degraded] });
  const seen = { workloads: workloadsWith(OPERATOR), trustAnchors, ...changes };
  const found = causesOf(seen).filter(({ chain, alsoCaused }) =>
    [...chain, ...alsoCaused].some(({ problem }) => problem.code === 'trust-anchor-degraded'),
  );
  const codes = found.map(({ cause }) => cause.problem.code);
  expect(codes).toEqual(expect.arrayContaining([...(causes.length > 0 ? causes : ['trust-anchor-degraded'])]));
  expect(codes.includes('trust-anchor-degraded')).toBe(causes.length === 0);
});

test('doctor attributes a degraded LinkerdConfig to the injector', () => {
  const degraded = { ...condition('Degraded', 'InjectorMissing'), status: 'True' };
  const configs = read({ ...CONFIG, conditions: [degraded] });
  const [first] = causesOf({ configs, workloads: away(workload('linkerd-proxy-injector')) });
  expect(first?.cause.problem.code).toBe('workload-scaled-down');
  expect([...(first?.chain ?? []), ...(first?.alsoCaused ?? [])].map(({ problem }) => problem.code)).toContain(
    'linkerd-config-degraded',
  );
});

test('doctor reports no cause that does not stop a rotation', () => {
  const ofReason = (reason: string) => {
    const trustAnchors = read({ ...TRUST_ANCHOR, conditions: [{ ...condition('Degraded', reason), status: 'True' }] });
    const [first] = causesOf({ trustAnchors });
    return { code: first?.cause.problem.code, breaks: first?.cause.breaks, why: first?.cause.problem.why };
  };
  const foreign = ofReason('ForeignRoot');
  expect(foreign).toMatchObject({ code: 'trust-anchor-degraded', breaks: [] });
  expect(ofReason('Overdue')).toMatchObject({ code: 'trust-anchor-degraded', breaks: ['anchor:mesh'] });
  expect(ofReason('Overdue').why).not.toBe(foreign.why);
});

test('doctor reports one cause for each reason that proxies do not start', () => {
  const starting = (name: string, container: object, namespace = 'shop') =>
    troubledPod(name, { troubled: [{ ...trouble('x'), ...container }], proxy: { isReady: false } }, namespace);
  const unpullable = { name: 'linkerd-proxy', reason: 'ImagePullBackOff', image: 'proxy:1' };
  const pods = read(
    starting('web', unpullable),
    starting('api', { ...unpullable, reason: 'ErrImagePull' }, 'plain'),
    starting('cni', { name: 'linkerd-network-validator', reason: 'CrashLoopBackOff' }),
    starting('app', { name: 'main', reason: 'CrashLoopBackOff' }),
  );
  const found = causesOf({ pods }).map(({ cause }) => [cause.problem.code, cause.breaks]);
  expect(found).toEqual([
    ['image-unpullable', ['start:Deployment shop/web', 'start:Deployment plain/api']],
    ['container-not-starting', ['start:Deployment shop/cni']],
  ]);
});

const waitingFor = (reason: string, message = '') => ({ waiting: { reason, message } });
const endedWith = (exitCode: number, reason = 'Error') => ({ terminated: { exitCode, reason } });
const init = (name: string, status: object) => ({
  initContainerStatuses: [{ name, image: 'x:1', ready: false, ...status }],
});
const failingInit = (name: string, exitCode: number) =>
  init(name, {
    restartCount: 23,
    state: waitingFor('CrashLoopBackOff', 'back-off 5m0s'),
    lastState: endedWith(exitCode),
  });
const waitingProxy = (reason: string) => ({
  containerStatuses: [{ name: 'linkerd-proxy', image: 'proxy:1', ready: false, state: waitingFor(reason, 'why') }],
});

/** A pod as the API server returns it, with this status. */
const meshedPod = (status: object, changes: { labels?: object; annotations?: object } = {}) =>
  observePod({
    metadata: {
      namespace: 'shop',
      name: 'web-1',
      creationTimestamp: new Date(NOW - HOUR).toISOString(),
      ownerReferences: [{ kind: 'StatefulSet', name: 'web', controller: true }],
      ...changes,
    },
    spec: { nodeName: 'a', containers: [{ name: 'linkerd-proxy', image: 'cr.l5d.io/linkerd/proxy:edge-26.8.3' }] },
    status: {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: new Date(NOW - HOUR).toISOString() }],
      ...waitingProxy('PodInitializing'),
      ...status,
    },
  });

test.each<[string, { code: string; cause?: string; message?: string }, object]>([
  [
    'linkerd-network-validator, crashing',
    { code: 'container-not-starting', cause: 'validator', message: 'exit code 95 (Error), 23 restarts' },
    failingInit('linkerd-network-validator', 95),
  ],
  [
    'linkerd-network-validator, running once more',
    { code: 'container-not-starting', cause: 'validator', message: 'exit code 95 (Error), 1 restart' },
    init('linkerd-network-validator', { restartCount: 1, state: { running: {} }, lastState: endedWith(95) }),
  ],
  [
    'linkerd-init',
    { code: 'container-not-starting', cause: 'init', message: 'exit code 1 (Error), 23 restarts' },
    failingInit('linkerd-init', 1),
  ],
  [
    'an init container of the application',
    { code: 'container-not-starting', cause: 'before-proxy', message: 'exit code 2 (Error), 23 restarts' },
    failingInit('migrate', 2),
  ],
  [
    'an init container of the application whose image is missing',
    { code: 'image-unpullable', message: 'why' },
    init('migrate', { state: waitingFor('ErrImagePull', 'why') }),
  ],
  ['the proxy, whose image is missing', { code: 'image-unpullable', message: 'why' }, waitingProxy('ImagePullBackOff')],
  [
    'the proxy, without its ConfigMap',
    { code: 'container-not-starting', cause: 'unstarted', message: 'why' },
    waitingProxy('CreateContainerConfigError'),
  ],
  [
    'the proxy, out of memory',
    { code: 'container-not-starting', cause: 'memory', message: 'exit code 137 (OOMKilled), 3 restarts' },
    {
      containerStatuses: [
        {
          name: 'linkerd-proxy',
          ready: false,
          restartCount: 3,
          state: waitingFor('CrashLoopBackOff'),
          lastState: endedWith(137, 'OOMKilled'),
        },
      ],
    },
  ],
  [
    'the proxy as a sidecar',
    { code: 'container-not-starting', message: 'exit code 1 (Error)' },
    { ...init('linkerd-proxy', { state: endedWith(1) }), containerStatuses: [] },
  ],
])('doctor names the container that prevents a proxy from starting: %s', (_which, { message, ...found }, status) => {
  const [first] = causesOf({ pods: read(meshedPod(status)) });
  expect(first?.cause.problem).toMatchObject({ ...found, ...(message && { parameters: { message } }) });
  expect(first?.chain.map(({ problem }) => problem.code)).toEqual([found.code, 'proxies-not-ready']);
  const isStarted = JSON.stringify(status).includes('"name":"linkerd-proxy"') && message?.startsWith('exit code');
  expect(first?.chain[1]?.problem.fix.endsWith('logs pod/web-1 -c linkerd-proxy')).toBe(isStarted);
});

test('doctor attributes pods without a network to a failing CNI plugin', () => {
  const starting = meshedPod(waitingProxy('PodInitializing'));
  const failure = {
    ...event('Pod/web-1', 'FailedCreatePodSandBox', NOW, 'shop'),
    message: 'plugin type="linkerd-cni" failed (add): Unauthorized',
  };
  expect(firstChain({ pods: read(starting), events: read(failure) })).toEqual([
    'pod-network-failed',
    'proxies-not-ready',
  ]);
  const cni = workload('linkerd-cni', {
    kind: 'DaemonSet',
    namespace: 'linkerd-cni',
    labels: { 'linkerd.io/cni-resource': 'true' },
    ready: 0,
    running: 0,
  });
  const crashed = troubledPod(
    'linkerd-cni',
    {
      workload: 'DaemonSet/linkerd-cni',
      labels: { 'k8s-app': 'linkerd-cni' },
      troubled: [trouble('CrashLoopBackOff')],
    },
    'linkerd-cni',
  );
  const seen = { pods: read(starting, crashed), events: read(failure), workloads: workloadsWith(cni) };
  expect(firstChain(seen)).toEqual([
    'container-not-starting',
    'workload-unavailable',
    'pod-network-failed',
    'proxies-not-ready',
  ]);
});

test('doctor shows the CNI plugin and Cilium for a pod that the network validator stops', () => {
  const validating = meshedPod(failingInit('linkerd-network-validator', 95));
  const cni = (changes: object = {}) =>
    pod({ namespace: 'linkerd-cni', name: 'linkerd-cni-x', labels: { 'k8s-app': 'linkerd-cni' }, ...changes });
  const evidence = (...others: ReturnType<typeof pod>[]) =>
    causesOf({ pods: read(validating, ...others) })[0]?.cause.evidence;
  expect(evidence()).toEqual(['no pod of the CNI plugin was found']);
  expect(evidence(cni({ node: 'b' }))).toEqual(['no pod of the CNI plugin is on the node a']);
  expect(evidence(cni({ isReady: false }))).toEqual(['the pod linkerd-cni/linkerd-cni-x on the node a is not ready']);
  expect(evidence(cni(), pod({ namespace: 'kube-system', name: 'c', labels: { 'k8s-app': 'cilium' } }))).toEqual([
    'the pod linkerd-cni/linkerd-cni-x on the node a is ready',
    'Cilium runs in this cluster, and removes the configuration of other CNI plugins unless its value cni.exclusive is false',
  ]);
  const [cause] = causesOf({ pods: read(validating, cni({ node: 'b' })) });
  expect(cause?.cause.problem.fix).toContain('get pods -A -l k8s-app=linkerd-cni --field-selector spec.nodeName=a');
});

test('doctor does not attribute crashes of pods without a proxy to the mesh', () => {
  const pods = (proxy: object) =>
    read(
      troubledPod('linkerd-reconciler', { troubled: [trouble('CrashLoopBackOff')], ...proxy }, 'linkerd-reconciler'),
    );
  const workloads = workloadsWith({ ...OPERATOR, ...STOPPED }, workload('linkerd-identity', { wanted: 0, ...STOPPED }));
  const causes = (proxy: object) => causesOf({ workloads, pods: pods(proxy) }).map(({ cause }) => cause.problem.code);
  expect(causes({})).toEqual(['workload-scaled-down', 'container-not-starting']);
  expect(causes({ proxy: { isReady: false } })).toEqual(['workload-scaled-down']);
});

test('doctor attributes failed injection to a wrong CA of the webhook', () => {
  const { cert } = issueCertificate({ commonName: 'other', ca: true, notAfter: new Date(NOW + DAY) });
  expect(firstChain({ webhooks: read({ ...WEBHOOK, caBundles: [cert] }) })).toEqual([
    'webhook-ca-wrong',
    'injection-stopped',
  ]);
});

const othersOf = (changes: Changes) => reportOf(changes)?.others.map(({ problem }) => problem.code);

test('doctor names the next certificate to expire, and skips expired ones', () => {
  const [first] = causesOf({ workloads: workloadsWith(AWAY), certificates: certificatesWith(ENDED) });
  const stopped = first?.chain.find(({ problem }) => problem.code === 'renewals-stopped');
  expect(stopped?.problem.parameters).toMatchObject({ certificate: 'linkerd/linkerd-proxy-injector' });
});

test('doctor ignores a refused request after its certificate was issued', () => {
  const refusal = { reason: 'Denied', message: 'no' };
  const refusedAt = (revision: number) =>
    reportOf({
      requests: read<ObservedRequest>(
        { ...request('linkerd-identity-issuer', '', revision), refusal },
        request('linkerd-identity-issuer', ISSUER.cert),
      ),
    });
  expect(refusedAt(4)).toMatchObject({ causes: [], others: [] });
  expect(refusedAt(5)).toMatchObject({ causes: [{ cause: { problem: { code: 'request-refused' } } }], others: [] });
});

test('doctor quotes the Service of a webhook in commands', () => {
  const hooks = WEBHOOK.hooks.map((hook) => ({ ...hook, service: 'linkerd/x; id #' }));
  const [first] = causesOf({ webhooks: read({ ...WEBHOOK, hooks }) });
  expect(first?.cause.problem.fix).toContain("-n linkerd get service/'x; id #'");
});

test('doctor ignores a failed mount that succeeded later', () => {
  expect(firstChain({ ...stopped(), events: read(mountFailure('linkerd-identity-1', NOW - HOUR)) })).toEqual(STOPS);
  expect(firstChain({ ...stopped(), events: read(mountFailure('other-1', NOW)) })[0]).toBe('workload-unavailable');
});

const budget = (changes: object = {}) => ({
  namespace: 'linkerd',
  name: 'identity',
  selector: { matchLabels: { app: 'identity' } },
  allowed: 0,
  healthy: 1,
  wanted: 1,
  expected: 1,
  ...changes,
});

test('doctor reports a disruption budget that blocks a drain of the mesh', () => {
  const pods = read(
    pod({ namespace: 'linkerd', workload: 'Deployment/linkerd-identity', labels: { app: 'identity' } }),
  );
  const nodes = read(
    { name: 'a', isReady: true, isCordoned: true, taints: ['node.kubernetes.io/unschedulable'] },
    { name: 'b', isReady: true, isCordoned: false, taints: [] },
  );
  expect(othersOf({ pods, nodes, budgets: read(budget()) })).toEqual(['eviction-blocked']);
  expect(othersOf({ pods, budgets: read(budget()) })).toEqual([]);
  expect(othersOf({ pods, nodes, budgets: read(budget({ allowed: 1 })) })).toEqual([]);
  expect(othersOf({ pods, nodes, budgets: read(budget({ expected: 0 })) })).toEqual([]);
  expect(othersOf({ pods, nodes, budgets: read(budget({ selector: { matchLabels: { app: 'x' } } })) })).toEqual([]);
  expect(othersOf({ pods, nodes, budgets: read(budget({ namespace: 'shop' })) })).toEqual([]);
  expect(othersOf({ pods, nodes, budgets: read(budget({ selector: undefined })) })).toEqual([]);
});

test('doctor attributes a missing restart by the operator to a disruption budget', () => {
  const laggards = { pods: 1, workloads: ['shop/Deployment/web'], since: NOW - HOUR };
  const trustAnchors = read({ ...TRUST_ANCHOR, laggards });
  const budgets = read(budget({ namespace: 'shop', selector: { matchLabels: { app: 'web' } } }));
  expect(firstChain({ trustAnchors, budgets })).toEqual(['eviction-blocked', 'trust-anchor-laggards']);
  expect(othersOf({ trustAnchors })).toEqual(['trust-anchor-laggards']);
});

test.each([
  [0, []],
  [90_000, []],
  [10 * MINUTE, ['clock-differs']],
  [-10 * MINUTE, ['clock-differs']],
])('doctor, if the last API server renewed its Lease %d ms ago, reports %j', (ago, codes) => {
  expect(othersOf({ clocks: read(NOW - DAY, NOW - ago) })).toEqual(codes);
});

test('doctor reports no wrong clock if the clocks are unknown', () => {
  expect(othersOf({ clocks: { is: 'forbidden' } })).toEqual(['list-unread']);
  expect(othersOf({ clocks: read() })).toEqual([]);
});

test('doctor names the examined one of two control planes', () => {
  const second = workload('linkerd-identity', { namespace: 'linkerd-old' });
  const report = reportOf({ workloads: workloadsWith(second, ...CONTROL_PLANE) });
  const found = report?.others.find(({ problem }) => problem.code === 'meshes-several');
  expect(found?.problem.parameters).toMatchObject({ namespace: 'linkerd', others: 'linkerd-old' });
});

test('doctor takes trust roots that a Bundle writes into each namespace for one control plane', () => {
  const [roots] = HEALTHY.bundles.is === 'read' ? HEALTHY.bundles.items : [];
  if (roots === undefined) throw new Error('The healthy mesh has no trust roots.');
  const inEach = ['linkerd', 'shop', 'web'].map((namespace) => ({ ...roots, namespace }));
  const report = reportOf({ bundles: read(...inEach) });
  expect(report?.others.map(({ problem }) => problem.code)).not.toContain('meshes-several');
});

test.each(['workloads', 'certificates', 'webhooks', 'issuers', 'endpoints', 'bundles'] as const)(
  'doctor reports nothing missing if the list of %s is incomplete',
  (name) => expect(causesOf({ [name]: { is: 'read', items: [], truncated: true } })).toEqual([]),
);

test('doctor prints no workflow command from a name with several lines', () => {
  const output = { ...INTENT, workloads: ['Deployment linkerd/a\n::add-mask::b'] };
  const report = doctorReport({ seen: HEALTHY, now: NOW, kubectl: 'kubectl', output });
  if (report === undefined) throw new Error('There is no report.');
  expect(doctorText(report)).toContain('a\\n::add-mask::b');
  expect(doctorText(report)).not.toMatch(/^\s*::/m);
});

test('doctor reports unreadable files of the output among all that it could not read', () => {
  const unreadOutput = [statusFinding(INTENT_FINDINGS.ringOutputUnread({ ring: 'rest', reason: 'shallow' }))];
  const report = doctorReport({ seen: HEALTHY, now: NOW, kubectl: 'kubectl', unreadOutput });
  expect(report?.others.map(({ problem }) => problem.code)).toEqual(['ring-output-unread']);
});

test('doctor lists the cause that stopped the mesh first at the top, each cause with its chain', () => {
  const both = causesOf({
    workloads: workloadsWith(AWAY),
    endpoints: read(),
    certificates: certificatesWith({ notAfter: NOW + 20 * HOUR }),
  });
  expect(both.map(({ chain }) => chain.map(({ problem }) => problem.code))).toEqual([
    ['workload-scaled-down', 'renewals-stopped'],
    ['webhook-unreachable', 'injection-stopped'],
  ]);
  const later = causesOf({
    workloads: workloadsWith(AWAY),
    endpoints: read(),
    certificates: certificatesWith({ notAfter: NOW + 40 * DAY, renewalTime: NOW + 30 * DAY }),
    bundles: HEALTHY.bundles,
  });
  expect(later[0]?.cause.problem.code).toBe('webhook-unreachable');
});

test('doctor attributes a symptom to both of its causes', () => {
  const both = causesOf({
    workloads: workloadsWith(workload('linkerd-identity', { wanted: 0, ...STOPPED })),
    certificates: certificatesWith(ENDED),
  });
  expect(both.map(({ chain }) => chain.map(({ problem }) => problem.code))).toEqual([
    ['certificate-expired', 'identity-stopped'],
    ['workload-scaled-down', 'identity-stopped'],
  ]);
});

test('doctor reports the part that stopped first if parts wait for each other', () => {
  const causes = causesOf({
    // The injector refuses the pods of cert-manager, without which the injector's certificate expired.
    workloads: workloadsWith(
      platform('cert-manager', 'cert-manager', {
        ...STOPPED,
        since: NOW - DAY,
        refusal: { message: 'failed calling webhook "linkerd-proxy-injector.linkerd.io": expired', since: NOW - HOUR },
      }),
    ),
    certificates: read(
      certificate('linkerd-identity-issuer'),
      certificate('linkerd-proxy-injector', { ...ENDED, notAfter: NOW - 2 * HOUR }),
    ),
  });
  expect(causes).toHaveLength(1);
  expect(causes[0]?.chain.length).toBeGreaterThan(2);
  expect(causes[0]?.cause.problem.parameters).toMatchObject({ workload: CERT_MANAGER });
});

test.each<[string, readonly string[], readonly string[], Changes]>([
  [
    'workloads',
    ['certificate-expired', 'identity-stopped'],
    ['deployments', 'daemonsets'],
    { workloads: { is: 'forbidden' }, certificates: certificatesWith(ENDED) },
  ],
  [
    'issuers',
    ['certificate-renewal-overdue'],
    ['issuers', 'clusterissuers'],
    { issuers: { is: 'failed', reason: 'late' }, certificates: certificatesWith({ renewalTime: NOW - 2 * HOUR }) },
  ],
  ['nodes', ['pods-unscheduled', ...STOPS], ['nodes'], { ...stopped({ unscheduled: NO }), nodes: { is: 'forbidden' } }],
])('doctor starts the chain later if it cannot read %s, and reports that', (_what, chain, unread, changes) => {
  expect(firstChain(changes)).toEqual(chain);
  expect(causesOf(changes)[0]?.unread).toEqual(expect.arrayContaining([...unread]));
});

test('doctor reports that it cannot read API groups', () => {
  const seen: DoctorObservation = { ...HEALTHY, resources: { is: 'failed', reason: 'late' } };
  const report = doctorReport({ seen, now: NOW, kubectl: 'kubectl' });
  expect(report?.causes).toEqual([]);
  expect(report?.others.map(({ problem }) => problem.parameters)).toEqual([
    { resources: 'API groups', reason: 'late' },
  ]);
});

test.each(DOCTOR_LISTS)('doctor reports nothing missing if the %s are unread or incomplete', (list) => {
  for (const reading of UNREAD) {
    expect(causesOf({ [list]: reading })).toEqual([]);
    expect(othersOf({ [list]: reading })).toEqual(['list-unread']);
  }
});

test('doctor reports no expired issuer from values if a Certificate may renew it', () => {
  const { cert } = issueCertificate({ commonName: 'old', ca: true, notAfter: new Date(NOW - HOUR) });
  const installed = read({ namespace: 'linkerd', issuer: cert });
  for (const certificates of UNREAD) expect(othersOf({ installed, certificates })).toEqual(['list-unread']);
});

test('doctor reports that it may not read anything', () => {
  const forbidden = Object.fromEntries(Object.keys(HEALTHY).map((kind) => [kind, { is: 'forbidden' }]));
  const report = doctorReport({ seen: forbidden as unknown as DoctorObservation, now: NOW, kubectl: 'kubectl' });
  expect(report?.causes.map(({ cause }) => cause.problem.code)).toEqual(['mesh-missing']);
  expect(report?.others.map(({ problem }) => problem.code)).toEqual(['list-unread']);
});

test('doctor reports a cluster without a mesh, or without an answer, as the only cause', () => {
  const absent = Object.fromEntries(Object.keys(HEALTHY).map((kind) => [kind, { is: 'absent' }]));
  const codes = (changes: object) =>
    causesOf({ ...absent, ...changes } as Changes).map(({ cause }) => cause.problem.code);
  expect(codes({ workloads: read(), namespaces: read() })).toEqual(['mesh-missing']);
  expect(codes({ unreachable: 'no route to host' })).toEqual(['cluster-unreachable']);
});

test('doctor examines a mesh that Helm installed without cert-manager, with its issuer in values', () => {
  const installed = {
    certificates: { is: 'absent' },
    requests: { is: 'absent' },
    issuers: { is: 'absent' },
    trustBundles: { is: 'absent' },
    webhooks: read({ ...WEBHOOK, caFrom: undefined as never }),
    workloads: read(...CONTROL_PLANE),
  } as const;
  expect(causesOf(installed)).toEqual([]);
  const { cert } = issueCertificate({
    commonName: 'identity',
    ca: true,
    notBefore: new Date(NOW - DAY),
    notAfter: new Date(NOW - HOUR),
  });
  const ended = { ...installed, installed: read({ namespace: 'linkerd', issuer: cert }) };
  const starting = read({ ...podWith({ isReady: false }), isReady: false });
  expect(firstChain({ ...ended, pods: starting })).toEqual([
    'installed-issuer-expired',
    'identity-stopped',
    'proxies-not-ready',
  ]);
  // Its Secret may have been replaced since the installation.
  expect(causesOf(ended)).toEqual([]);
});

test('doctor warns about an injector that can prevent kube-system from starting', () => {
  const [hook] = WEBHOOK.hooks;
  const webhooks = read({ ...WEBHOOK, hooks: hook === undefined ? [] : [{ ...hook, namespaceSelector: {} }] });
  const report = doctorReport({ seen: { ...HEALTHY, webhooks }, now: NOW, kubectl: 'kubectl' });
  expect(report?.causes).toEqual([]);
  expect(report?.others.map(({ problem }) => problem.code)).toEqual(['kube-system-unprotected']);
});

test('doctor reports no rollout, cordoned node or scaled-down extension as a cause', () => {
  expect(
    causesOf({
      nodes: read(
        { name: 'a', isReady: true, isCordoned: true, taints: [] },
        { name: 'b', isReady: true, isCordoned: false, taints: [] },
      ),
      workloads: workloadsWith(workload('web', { labels: { 'linkerd.io/extension': 'viz' }, wanted: 0, ...STOPPED })),
    }),
  ).toEqual([]);
});

test('doctor reports one cause for a thousand namespaces whose pods are refused', () => {
  const message = 'failed calling webhook "linkerd-proxy-injector.linkerd.io": no endpoints';
  const refused = Array.from({ length: 1000 }, (_, index) =>
    workload('web', { namespace: `tenant-${index}`, labels: {}, refusal: { message } }),
  );
  const causes = causesOf({ endpoints: read(), workloads: read(...CONTROL_PLANE, ...refused) });
  const [first] = causes.filter(({ cause }) => cause.problem.code === 'webhook-unreachable');
  expect((first?.chain.length ?? 0) + (first?.alsoCaused.length ?? 0)).toBe(1002);
});

test('doctor examines more pods than JavaScript allows arguments of a call', () => {
  const pod = { ...podWith({ isReady: false }), isReady: false };
  const pods = Array.from({ length: 150_000 }, (_, index) => ({ ...pod, node: `node-${index}` }));
  expect(firstChain({ pods: read(...pods.slice(0, 1)) })).toEqual(['proxies-not-ready']);
  expect(firstChain({ pods: { is: 'read', items: pods } })).toEqual(['proxies-not-ready']);
});
