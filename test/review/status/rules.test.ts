import { DAY, HOUR, MINUTE } from '#base/time-units';
import type { ObservedApplication } from '#lib/review/live/applications';
import { STATUS_LISTS, type StatusObservation } from '#lib/review/live/observation';
import { auditedIn, queryPath, SUCCESS_RATE, successRateIn } from '#lib/review/live/prometheus';
import { type ClusterInput, clusterStatus } from '#lib/review/status/status';
import { issueCertificate } from '../../support/cluster/certificates';
import {
  application,
  argocd,
  CONFIG,
  CONTROL_PLANE,
  certificate,
  home,
  INTENT,
  ISSUER,
  NOW,
  pod,
  podWith,
  ROOT,
  read,
  request,
  SERVER,
  TRUST_ANCHOR,
  UNREAD,
  WEBHOOK,
  workload,
} from '../live/healthy-mesh';

const findingsOf = (cluster: ClusterInput) => clusterStatus(cluster).findings.map(({ problem }) => problem);
const codesOf = (cluster: ClusterInput) => findingsOf(cluster).map(({ code }) => code);

const [LINKERD, SHOP] = [application('linkerd'), application('shop')];
const OTHER_ROOT = issueCertificate({ commonName: 'other', ca: true, notAfter: new Date(NOW + DAY) });
const { cert: ENDED_CA } = issueCertificate({ commonName: 'old', ca: true, notAfter: new Date(NOW - DAY) });
const condition = (type: string, status = 'True') => ({ type, status, reason: 'Why', message: 'that is why' });
const others = CONTROL_PLANE.slice(1);

test('status has no findings about a healthy cluster', () => expect(clusterStatus(home()).findings).toEqual([]));

test.each(['workloads', 'certificates', 'webhooks', 'bundles', 'configs', 'links', 'trustAnchors'] as const)(
  'status reports nothing missing if the list of %s is incomplete',
  (name) => {
    const codes = codesOf(home({ [name]: { is: 'read', items: [], truncated: true } }));
    expect(codes).toEqual(['list-unread']);
  },
);

test('status reads the release of a control plane from its oldest pod', () => {
  const pods = ['edge-26.8.3', 'edge-26.7.1'].map((running, index) =>
    pod({ namespace: 'linkerd', name: `linkerd-destination-${index}`, component: 'destination', running }),
  );
  const { release, findings } = clusterStatus(home({ pods: read(...pods) }));
  expect(release).toBe('edge-26.7.1');
  expect(findings.map(({ problem }) => problem.code)).toContain('control-plane-release-differs');
});

test.each<[string, string, readonly ObservedApplication[]]>([
  ['is missing', 'applications-missing', [LINKERD]],
  ['is out of sync', 'application-out-of-sync', [LINKERD, application('shop', { sync: 'OutOfSync' })]],
  ['is degraded', 'application-unhealthy', [LINKERD, application('shop', { health: 'Degraded' })]],
  ['is progressing', 'application-progressing', [LINKERD, application('shop', { health: 'Progressing' })]],
  ['failed to sync', 'application-sync-failed', [LINKERD, application('shop', { failure: { message: 'no' } })]],
  ['is invalid', 'application-invalid', [LINKERD, application('shop', { errors: [condition('ComparisonError')] })]],
  [
    'shares an object with another Application',
    'application-contested',
    [LINKERD, application('shop', { warnings: [condition('SharedResourceWarning')] })],
  ],
  ['follows another branch', 'application-elsewhere', [LINKERD, application('shop', { targetRevision: 'HEAD' })]],
  ['is in another project', 'application-elsewhere', [LINKERD, application('shop', { project: 'default' })]],
  ['is of another repository', 'application-elsewhere', [LINKERD, application('shop', { repoUrl: 'x' })]],
  ['deploys to another cluster', 'application-elsewhere', [LINKERD, application('shop', { destination: 'away' })]],
  ['is being synced', 'application-progressing', [LINKERD, application('shop', { isSyncing: true })]],
  ['was compared long ago', 'application-stale', [LINKERD, application('shop', { reconciled: NOW - HOUR })]],
  ['is behind', 'applications-apart', [LINKERD, application('shop', { revision: 'b'.repeat(40) })]],
])('status reports an Application that %s', (_is, code, applications) => {
  expect(codesOf(home({}, { argocd: argocd(applications) }))).toEqual([code]);
});

test.each([
  ['is missing', [], ['application-set-missing']],
  ['fails', [{ name: 'linkerd-mesh-home', error: condition('ErrorOccurred') }], ['application-set-failed']],
  ['of another cluster fails', [{ name: 'a', error: condition('x') }, { name: 'linkerd-mesh-home' }], []],
])('status reports an ApplicationSet that %s: %j', (_is, sets, codes) => {
  expect(codesOf(home({}, { argocd: argocd([LINKERD, SHOP], sets) }))).toEqual(codes);
});

test('status reports Applications of removed folders, and ignores those of other clusters', () => {
  const intent = { ...INTENT, source: { set: 'linkerd-mesh-home', folder: 'dist/home' } };
  const others = [
    application('tracing'),
    application('a', { path: 'apps/a' }),
    application('b', { name: 'homely-b', path: 'dist/homely/b' }),
  ];
  const { findings } = clusterStatus(home({}, { intent, argocd: argocd([LINKERD, SHOP, ...others]) }));
  expect(findings.map(({ problem }) => [problem.code, problem.parameters])).toEqual([
    ['applications-left', { names: 'home-tracing' }],
  ]);
});

test('status reports an Application that reads the folder of another ring', () => {
  const intent = { ...INTENT, ring: { name: 'canary', path: 'promoted/canary' } };
  const applications = [application('linkerd', { path: 'promoted/canary/home/linkerd' }), SHOP];
  expect(
    clusterStatus(home({}, { intent, argocd: argocd(applications) })).findings.map(({ problem }) => problem.parameters),
  ).toEqual([{ name: 'home-shop', field: 'folder', actual: 'dist/home/shop', expected: 'promoted/canary/home/shop' }]);
});

test('status reports each Application at another commit than the given one', () => {
  const applications = [LINKERD, application('shop', { revision: 'b'.repeat(40) })];
  expect(codesOf(home({}, { argocd: argocd(applications), commit: 'aaaaaaa' }))).toEqual([
    'application-other-commit',
    'applications-apart',
  ]);
  expect(codesOf(home({}, { argocd: argocd([LINKERD, SHOP]), commit: 'aaaaaaa' }))).toEqual([]);
});

test('status ignores Applications of other clusters, and versions of charts', () => {
  const applications = [
    LINKERD,
    application('shop', { revision: '2026.8.3' }),
    application('shop', { name: 'homely-shop', sync: 'OutOfSync' }),
  ];
  expect(codesOf(home({}, { argocd: argocd(applications) }))).toEqual([]);
});

test.each<[string, string, Partial<StatusObservation>]>([
  [
    'a control plane of another release',
    'control-plane-release-differs',
    {
      workloads: read(workload('linkerd-destination', { images: { destination: 'edge-26.9.1' } }), ...others),
      pods: read(),
    },
  ],
  ['an older proxy', 'proxies-behind', { pods: read(podWith({ release: 'edge-26.6.3' })) }],
  ['a proxy of two versions ago', 'proxies-too-far-behind', { pods: read(podWith({ release: 'stable-2.14.10' })) }],
  ['a missing part', 'workload-missing', { workloads: read(workload('linkerd-destination'), ...others.slice(1)) }],
  [
    'a Deployment with too few pods',
    'workload-unavailable',
    { workloads: read(workload('linkerd-destination', { ready: 1 }), ...others) },
  ],
  [
    'a namespace without the annotation',
    'namespace-injection-differs',
    { namespaces: read({ name: 'shop', isExempt: false, labels: {} }) },
  ],
  ['a missing namespace', 'namespace-injection-differs', { namespaces: read(), pods: read() }],
  ['a pod without a proxy', 'pods-without-proxy', { pods: read({ ...pod(), proxy: undefined as never }) }],
  [
    'a pod without a proxy, but with the annotation',
    'pods-without-proxy',
    { pods: read({ ...pod({ namespace: 'plain', inject: 'enabled' }), proxy: undefined as never }) },
  ],
  ['a starting proxy', 'proxies-starting', { pods: read({ ...podWith({ isReady: false }), created: NOW - MINUTE }) }],
  [
    'a LinkerdConfig that is being propagated',
    'linkerd-config-progressing',
    { configs: read({ ...CONFIG, conditions: [condition('Progressing')] }) },
  ],
  ['a proxy that is not ready', 'proxies-not-ready', { pods: read(podWith({ isReady: false })) }],
  ['a missing TrustAnchor', 'trust-anchor-missing', { trustAnchors: { is: 'absent' } }],
  [
    'a degraded TrustAnchor',
    'trust-anchor-degraded',
    { trustAnchors: read({ ...TRUST_ANCHOR, conditions: [condition('Degraded')] }) },
  ],
  ['a rotation without slack', 'trust-anchor-late', { trustAnchors: read({ ...TRUST_ANCHOR, slack: '-5d' }) }],
  ['a paused TrustAnchor', 'trust-anchor-paused', { trustAnchors: read({ ...TRUST_ANCHOR, isPaused: true }) }],
  [
    'a rotation',
    'trust-anchor-rotating',
    { trustAnchors: read({ ...TRUST_ANCHOR, phase: 'Signing', conditions: [condition('Progressing')] }) },
  ],
  [
    'workloads that delay a rotation',
    'trust-anchor-laggards',
    { trustAnchors: read({ ...TRUST_ANCHOR, laggards: { pods: 2, workloads: ['shop/Deployment/web'] } }) },
  ],
  ['an outdated status', 'operator-behind', { trustAnchors: read({ ...TRUST_ANCHOR, isOutdated: true }) }],
  ['a missing LinkerdConfig', 'linkerd-config-missing', { configs: read() }],
  [
    'a refused LinkerdConfig',
    'linkerd-config-degraded',
    { configs: read({ ...CONFIG, conditions: [condition('Accepted', 'False')] }) },
  ],
  ['restarts', 'linkerd-config-progressing', { configs: read({ ...CONFIG, inProgress: ['shop/Deployment/web'] }) }],
  [
    'skipped restarts',
    'restarts-passed-by',
    { configs: read({ ...CONFIG, passedBy: { count: 1, workloads: ['a'] } }) },
  ],
  ['bare pods', 'restarts-by-hand', { configs: read({ ...CONFIG, unmanagedPods: { count: 1, pods: ['a'] } }) }],
  ['a missing Certificate', 'certificate-missing', { certificates: read(certificate('linkerd-identity-issuer')) }],
  [
    'a Certificate that is not ready',
    'certificate-not-ready',
    {
      certificates: read(
        certificate('linkerd-identity-issuer', { isReady: false }),
        certificate('linkerd-proxy-injector'),
      ),
    },
  ],
  [
    'an expired certificate that cert-manager reports as ready',
    'certificate-expired',
    {
      certificates: read(
        certificate('linkerd-identity-issuer', { notAfter: NOW - HOUR, revision: 5 }),
        certificate('linkerd-proxy-injector'),
      ),
    },
  ],
  [
    'a late renewal',
    'certificate-renewal-overdue',
    {
      certificates: read(
        certificate('linkerd-identity-issuer', { renewalTime: NOW - 2 * HOUR }),
        certificate('linkerd-proxy-injector'),
      ),
    },
  ],
  ['missing trust roots', 'trust-roots-missing', { bundles: read() }],
  [
    'trust roots that did not sign the issuer',
    'issuer-untrusted',
    {
      bundles: read({ namespace: 'linkerd', name: 'linkerd-identity-trust-roots', roots: OTHER_ROOT.cert }),
      pods: read(),
    },
  ],
  ['a missing webhook', 'webhook-missing', { webhooks: read() }],
  ['a webhook without a CA', 'webhook-ca-missing', { webhooks: read({ ...WEBHOOK, caBundles: [''] }) }],
  ['a webhook with another CA', 'webhook-ca-wrong', { webhooks: read({ ...WEBHOOK, caBundles: [OTHER_ROOT.cert] }) }],
  ['a configuration without webhooks', 'webhook-missing', { webhooks: read({ ...WEBHOOK, caBundles: [] }) }],
  ['a webhook with an unreadable CA', 'webhook-ca-missing', { webhooks: read({ ...WEBHOOK, caBundles: ['no PEM'] }) }],
  ['a webhook with an expired CA', 'webhook-ca-expired', { webhooks: read({ ...WEBHOOK, caBundles: [ENDED_CA] }) }],
  ['a missing Link', 'link-missing', { links: read() }],
  [
    'a gateway without an address',
    'gateway-without-address',
    { gateways: read({ namespace: 'linkerd-multicluster', name: 'gateway', addresses: [], created: 0 }) },
  ],
  ['an audit', 'policy-in-audit', { servers: read({ namespace: 'shop', name: 'web', accessPolicy: 'audit' }) }],
  ['a forbidden list', 'list-unread', { servers: { is: 'forbidden' } }],
  ['a list that fails', 'list-unread', { servers: { is: 'failed', reason: 'late' } }],
  ['a list with more pages', 'list-unread', { servers: { is: 'read', items: [], truncated: true } }],
])('status reports %s', (_what, code, seen) => expect(codesOf(home(seen))).toEqual([code]));

test('status reports a pod with other roots, unless the operator decides which roots matter', () => {
  const pods = read(podWith({ roots: 'f'.repeat(64) }));
  const intent = { ...INTENT, hasTrustAnchor: false };
  expect(codesOf(home({ pods }, { intent }))).toEqual([]);
  expect(codesOf(home({ pods, trustAnchors: read() }, { intent }))).toEqual(['pods-with-other-roots']);
  expect(codesOf(home({ pods, trustAnchors: { is: 'absent' } }, { intent }))).toEqual(['pods-with-other-roots']);
});

test.each<[string, string[], StatusObservation['successRate']]>([
  ['that is high enough is no finding', [], 0.995],
  ['that is too low is a finding', ['success-rate-low'], 0.9],
  ['that is unknown is a finding', ['success-rate-unknown'], { unknown: 'no answer' }],
])('a success rate %s', (_is, codes, successRate) => {
  const ring = { name: 'canary', revision: 'ring/canary', health: { successRate: 0.99 } };
  expect(codesOf(home({ successRate } as Partial<StatusObservation>, { intent: { ...INTENT, ring } }))).toEqual(codes);
});

test.each([
  ['a rate', { status: 'success', data: { result: [{ value: [1, '0.5'] }] } }, 0.5],
  ['no requests', { status: 'success', data: { result: [{ value: [1, 'NaN'] }] } }, { unknown: expect.any(String) }],
  ['no series', { status: 'success', data: { result: [] } }, { unknown: expect.any(String) }],
  ['an error', { status: 'error', error: 'x' }, { unknown: expect.any(String) }],
  ['a page of another server', undefined, { unknown: expect.any(String) }],
])('status reads a response of Prometheus with %s', (_what, answer, expected) => {
  expect(successRateIn(answer)).toEqual(expected);
});

test('the query goes through the API server, and only to a Service', () => {
  expect(queryPath('monitoring/prometheus:9090', SUCCESS_RATE)).toMatch(
    /^\/api\/v1\/namespaces\/monitoring\/services\/http:prometheus:9090\/proxy\/api\/v1\/query\?query=sum/,
  );
  for (const strange of ['', 'a/b', '../../x/y:1', 'a/b:1/../..']) expect(queryPath(strange, 'up')).toBeUndefined();
});

test('status counts audited requests by namespace if Prometheus has them', () => {
  const sample = (namespace: string | undefined, value: string) => ({ metric: { namespace }, value: [1, value] });
  const result = [sample('shop', '12.4'), sample('idle', '0'), sample('odd', 'NaN'), sample(undefined, '3')];
  expect(auditedIn({ status: 'success', data: { result } })).toEqual(new Map([['shop', 12]]));
  expect(auditedIn('<html>')).toEqual(new Map());
  const servers = read(
    { namespace: 'shop', name: 'web', accessPolicy: 'audit' },
    { namespace: 'idle', name: 'web', accessPolicy: 'audit' },
  );
  const audited = new Map([
    ['shop', 12],
    ['elsewhere', 5],
  ]);
  expect(findingsOf(home({ servers, audited })).filter(({ code }) => code === 'policy-would-refuse')).toMatchObject([
    { parameters: { namespace: 'shop', count: 12 } },
  ]);
});

test('status reports a proxy that restarted within ten minutes, with the reason', () => {
  const ended = (minutes: number) => podWith({ ended: { at: NOW - minutes * MINUTE, reason: 'OOMKilled' } });
  expect(findingsOf(home({ pods: read(ended(9), ended(8)) }))).toMatchObject([
    { code: 'proxies-restarting', parameters: { pods: '2 pods', reason: 'OOMKilled', workloads: 'Deployment/web' } },
  ]);
  expect(codesOf(home({ pods: read(ended(11), { ...ended(1), isOver: true }) }))).toEqual([]);
});

test('status reports a root that expires before its issuer, and warns about an expired one', () => {
  const short = issueCertificate({ commonName: 'root', ca: true, key: ROOT.key, notAfter: new Date(NOW + DAY) });
  const old = issueCertificate({ commonName: 'old', ca: true, notAfter: new Date(NOW - DAY) });
  const roots = `${short.cert}${old.cert}`;
  const seen = { bundles: read({ namespace: 'linkerd', name: 'linkerd-identity-trust-roots', roots }), pods: read() };
  expect(codesOf(home(seen as Partial<StatusObservation>))).toEqual(['issuer-outlives-root', 'trust-root-expired']);
});

test('status trusts an issuer with a bridge by the root that signed the bridge', () => {
  const next = issueCertificate({ commonName: 'next', ca: true });
  const bridge = issueCertificate({ commonName: 'next', ca: true, key: next.key, issuer: ROOT });
  const issuer = issueCertificate({ commonName: 'identity', ca: true, issuer: next, notAfter: new Date(NOW + DAY) });
  const chain = (pem: string) => ({
    requests: read(request('linkerd-identity-issuer', pem), request('linkerd-proxy-injector', SERVER.cert)),
  });
  expect(codesOf(home(chain(`${issuer.cert}${bridge.cert}`)))).toEqual([]);
  expect(codesOf(home(chain(issuer.cert)))).toEqual(['issuer-untrusted']);
  const stray = issueCertificate({ commonName: 'stray', ca: true });
  const strangers = issueCertificate({
    commonName: 'identity',
    ca: true,
    issuer: stray,
    notAfter: new Date(NOW + DAY),
  });
  expect(codesOf(home(chain(`${strangers.cert}${bridge.cert}`)))).toEqual(['issuer-untrusted']);
});

test('status reads the expiry of a certificate from the last issued one', () => {
  const ended = issueCertificate({
    commonName: 'identity',
    ca: true,
    issuer: ROOT,
    notBefore: new Date(NOW - 2 * DAY),
    notAfter: new Date(NOW - MINUTE),
  });
  const requests = read(
    request('linkerd-identity-issuer', ISSUER.cert, 3),
    request('linkerd-identity-issuer', ended.cert),
    request('linkerd-proxy-injector', SERVER.cert),
  );
  expect(clusterStatus(home({ requests })).findings.map(({ problem, since }) => [problem.code, since])).toEqual([
    ['certificate-expired', NOW - MINUTE],
  ]);
});

test.each([
  ['has finished', { isOver: true }],
  ['is on the network of its host', { isHostNetwork: true }],
  ['belongs to the control plane', { component: 'destination' }],
  ['opts out of injection', { inject: 'disabled' }],
  ['is in kube-system', { namespace: 'kube-system', inject: 'enabled' }],
  ['is in cert-manager', { namespace: 'cert-manager', inject: 'enabled' }],
  ['is in a namespace without injection', { namespace: 'plain' }],
  ['is in a namespace that the webhooks ignore', { namespace: 'linkerd', inject: 'enabled' }],
  ['is in a namespace created after the list', { namespace: 'new', inject: 'enabled' }],
])('status ignores a pod without a proxy that %s', (_is, changes) => {
  const { proxy: _, ...bare } = pod(changes);
  expect(codesOf(home({ pods: read(bare) }))).toEqual([]);
});

test('status ignores a proxy of a newer release, and pods of 2.14 without bundle hashes', () => {
  const { proxy } = pod();
  const { roots: _, ...without } = proxy ?? { isReady: true };
  const pods = [podWith({ release: 'edge-26.9.1' }), { ...pod(), proxy: without }];
  expect(codesOf(home({ pods: read(...pods) }))).toEqual([]);
});

test('findings of status about many pods name some workloads, with a command for the first', () => {
  const pods = Array.from({ length: 10_000 }, (_, index) => ({
    ...podWith({ release: 'edge-26.6.3' }),
    name: `web-${index}`,
    workload: `Deployment/web-${index % 7}`,
  }));
  expect(clusterStatus(home({ pods: read(...pods) })).findings.map(({ problem }) => problem.parameters)).toEqual([
    {
      pods: '10000 pods',
      release: 'edge-26.6.3',
      controlPlane: 'edge-26.8.3',
      workloads: `${[0, 1, 2, 3, 4].map((index) => `shop/Deployment/web-${index}`).join(', ')} and 2 more`,
      kubectl: 'kubectl --context home',
      workload: 'Deployment shop/web-0',
      command: '-n shop rollout restart deployment/web-0',
      others: 6,
    },
  ]);
});

test('status of a cluster without any kinds has only findings about missing objects', () => {
  const absent = Object.fromEntries(STATUS_LISTS.map((kind) => [kind, { is: 'absent' }]));
  expect(codesOf(home(absent as unknown as StatusObservation))).toEqual([
    'trust-anchor-missing',
    'linkerd-config-missing',
    'certificate-missing',
    'certificate-missing',
    'link-missing',
  ]);
});

test('status has one finding if it may not read anything', () => {
  const forbidden = Object.fromEntries(STATUS_LISTS.map((kind) => [kind, { is: 'forbidden' }]));
  expect(codesOf(home(forbidden as unknown as StatusObservation))).toEqual(['list-unread']);
});

test.each(STATUS_LISTS)('status reports nothing missing if the %s are unread or incomplete', (kind) => {
  for (const reading of UNREAD) expect(codesOf(home({ [kind]: reading }))).toEqual(['list-unread']);
});

test('status reports an unreachable cluster once, next to findings from Argo CD', () => {
  const applications = [LINKERD, application('shop', { sync: 'OutOfSync' })];
  const status = clusterStatus(home({ unreachable: 'no route to host' }, { argocd: argocd(applications) }));
  expect(status.findings.map(({ problem }) => problem.code)).toEqual([
    'cluster-unreachable',
    'application-out-of-sync',
  ]);
});

test('status contains releases, proxies, slack and the next events', () => {
  const { release, intended, proxies, slack, next } = clusterStatus(
    home({ pods: read(pod(), podWith({ release: 'edge-26.6.3' }), { ...pod(), isOver: true }) }),
  );
  expect({ release, intended, proxies, slack }).toEqual({
    release: 'edge-26.8.3',
    intended: 'edge-26.8.3',
    proxies: [
      { release: 'edge-26.8.3', pods: 1 },
      { release: 'edge-26.6.3', pods: 1 },
    ],
    slack: '340d',
  });
  expect(next.map(({ at }) => (at - NOW) / DAY)).toEqual([1, 1, 100, 200, 365]);
});
