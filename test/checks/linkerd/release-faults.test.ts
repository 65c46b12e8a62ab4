import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { metFaults } from '#lib/checks/linkerd/release-faults';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { namespace, SHOP, server, workload } from '../policy/fixture';

const object = (groupVersion: string, kind: string, fields: object, inNamespace = 'shop'): KubernetesObject => ({
  apiVersion: groupVersion,
  kind,
  metadata: { name: 'api', namespace: inNamespace, ...((fields as { metadata?: object }).metadata ?? {}) },
  ...Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'metadata')),
});
const route = (rule: object, parent: object = { kind: 'Service', name: 'api' }) =>
  object('gateway.networking.k8s.io/v1', 'HTTPRoute', { spec: { parentRefs: [parent], rules: [rule] } });
const sidecar = (ports: object) =>
  workload('api', {}, { initContainers: [{ name: 'cache', restartPolicy: 'Always', ports: [ports] }] } as object);
const policy = (kind: string) => object('policy.linkerd.io/v1alpha1', kind, { spec: {} });
const tracing = { proxy: { tracing: { enabled: true } } };

type Case = readonly [source: string, release: string, objects: readonly KubernetesObject[], values?: Values];

const CASES: readonly Case[] = [
  ['#15404', 'edge-26.6.3', [], { ...tracing, identityTrustDomain: 'corp.example.com' }],
  [
    '#15324',
    'edge-26.6.1',
    [
      object('workload.linkerd.io/v1beta1', 'ExternalWorkload', { metadata: { labels: { app: 'a' } } }, 'vm'),
      object('v1', 'Service', { spec: { selector: { app: 'a' } } }),
    ],
  ],
  ['#15326', 'edge-26.6.1', [policy('MeshTLSAuthentication'), policy('NetworkAuthentication')]],
  [
    '#15223',
    'edge-26.5.1',
    [server('api', { proxyProtocol: 'opaque' }), namespace('other'), workload('api', {}, { namespace: 'other' })],
  ],
  ['#14986', 'edge-26.4.3', [route({ filters: [{ type: 'CORS' }] })]],
  ['#14741', 'edge-26.1.1', [route({ filters: [{ type: 'CORS' }] })]],
  [
    '#14814',
    'edge-25.12.2',
    [SHOP, sidecar({ name: 'mc', containerPort: 11211 }), server('api', { port: 'mc', proxyProtocol: 'opaque' })],
  ],
  ['#14786', 'edge-25.12.1', [SHOP, sidecar({ containerPort: 11211, hostPort: 11211 })]],
  [
    '#14767',
    'edge-25.12.1',
    [namespace('shop', { 'config.linkerd.io/opaque-ports': '25, mc' }), sidecar({ name: 'mc', containerPort: 11211 })],
  ],
  ['#14713', 'edge-25.11.2', [route({ timeouts: { request: '1s' } })]],
  ['#14684', 'edge-25.10.7', [], tracing],
  [
    '#14693',
    'edge-25.10.7',
    [object('v1', 'Service', { metadata: { labels: { 'mirror.linkerd.io/federated': 'member' } }, spec: {} })],
  ],
  ['#13865', 'edge-25.9.3', [], { proxy: { nativeSidecar: true, defaultInboundPolicy: 'deny' } }],
  ['#14103', 'edge-25.4.4', [server('metrics', { port: 'linkerd-admin' })], { proxy: { nativeSidecar: true } }],
  [
    '#13962',
    'stable-2.14.10',
    [
      object('policy.linkerd.io/v1alpha1', 'AuthorizationPolicy', {
        spec: { targetRef: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'api' } },
      }),
    ],
  ],
];

const sourcesOf = (release: string, objects: readonly KubernetesObject[], controlPlane: Values = {}) =>
  metFaults({ releases: { controlPlane: release }, inflated: { controlPlane }, objects }).map(({ source }) => source);

test.each(CASES.map((one) => [one[0], one[1], one] as const))(
  'metFaults reports %s in %s, and not for other objects or in the newest release',
  (source, release, [, , objects, values]) => {
    expect(sourcesOf(release, objects, values)).toContain(source);
    expect(sourcesOf(release, [SHOP, workload('web')])).toEqual([]);
    expect(sourcesOf('edge-26.8.3', objects, values)).toEqual([]);
  },
);

test.each([
  [
    '#14642',
    'edge-26.3.3',
    'viz',
    { values: { prometheus: { enabled: true } }, objects: [] as readonly KubernetesObject[] },
  ],
  [
    '#15201',
    'edge-26.4.4',
    'multicluster',
    {
      values: { enableHeadlessServices: true },
      objects: [object('multicluster.linkerd.io/v1alpha3', 'Link', { spec: {} })],
    },
  ],
])('metFaults reports %s for the extension in %s', (source, release, part, { values, objects }) => {
  const faults = (releases: object) => metFaults({ releases, inflated: { [part]: values }, objects });
  expect(faults({ [part]: release })).toMatchObject([{ source, part }]);
  expect(faults({ [part]: 'edge-26.8.3' })).toEqual([]);
});

test('a finding about a fault names its source and the release that fixes it', () => {
  const [fault] = metFaults({
    releases: { controlPlane: 'edge-26.4.4' },
    inflated: { controlPlane: { ...tracing, identityTrustDomain: 'corp.example.com' } },
    objects: [],
  });
  expect(fault?.warning).toMatchObject({
    code: 'release-fault',
    cause: 'trace-identity',
    parameters: { release: 'edge-26.4.4', fixed: 'edge-26.7.1', source: 'linkerd2#15404' },
  });
});

test.each([
  ['the domain of the cluster is the trust domain', { ...tracing, clusterDomain: 'a.b', identityTrustDomain: 'a.b' }],
  ['no trust domain is set', tracing],
  ['proxies send no traces', { identityTrustDomain: 'corp.example.com' }],
])('metFaults reports no refused collector if %s', (_, values) =>
  expect(sourcesOf('edge-26.4.4', [], values)).not.toContain('#15404'),
);

test('metFaults reports no faults of a feature in releases that lack it', () =>
  expect(sourcesOf('stable-2.14.10', [], { ...tracing, identityTrustDomain: 'corp.example.com' })).toEqual([]));

test('a route with the annotation that an affected release reads has a timeout', () => {
  const plain = route({ timeouts: { request: '1s' } });
  const annotations = { 'timeout.linkerd.io/request': '1s' };
  const annotated = { ...plain, metadata: { ...plain.metadata, annotations } };
  const sources = (one: KubernetesObject) => sourcesOf('edge-25.11.2', [one]);
  expect(sources(plain)).toContain('#14713');
  expect(sources(annotated)).not.toContain('#14713');
  const earlier = metFaults({ releases: { controlPlane: 'stable-2.14.10' }, inflated: {}, objects: [annotated] });
  expect(earlier.map(({ warning }) => warning.cause)).toContain('route-timeout-earlier');
});

test('metFaults reports no faults in the newest release', () => {
  for (const [, , objects, values] of CASES) expect(sourcesOf(LINKERD_VERSIONS[0] ?? '', objects, values)).toEqual([]);
});
