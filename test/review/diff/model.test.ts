import { configAnnotations } from '#lib/constructs/meshing/config/config-annotations';
import { effectsOf, PROXY_SETTINGS } from '#lib/review/diff/consequences/proxy-settings';
import { DEFAULT_LIMIT } from '#lib/review/diff/formats/formats';
import { renderDiff } from '#lib/review/diff/formats/render';
import type { OutputDiff } from '#lib/review/diff/model';
import * as keys from '#linkerd/annotations';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import {
  cluster,
  compare,
  compareHome,
  compareObject,
  consequences,
  type Files,
  meshConfig,
  namespace,
  object,
} from './outputs';

function settings(diff: OutputDiff): readonly object[] {
  return consequences(diff).filter(({ code }) => code === 'proxy-setting-changed');
}

const deployment = (name: string, annotations: object = {}) =>
  object('apps/v1', 'Deployment', { spec: { template: { metadata: { annotations } } } }, { name, namespace: 'shop' });

test('diff has a consequence for each annotation that the injector reads', () => {
  const read = Object.values(keys).filter((key) => key === keys.INJECT || /^config(\.\w+)?\.linkerd\.io\//.test(key));
  const labels: readonly string[] = [keys.ADMISSION_WEBHOOKS, keys.RECONCILE];
  expect(read.length).toBeGreaterThan(50);
  const known = new Set(PROXY_SETTINGS.flatMap(({ annotations }) => annotations));
  expect(read.filter((key) => !labels.includes(key) && !known.has(key))).toEqual([]);
});

test.each(LINKERD_VERSIONS)('diff has a consequence for each annotation that meshing writes for %s', (version) => {
  const amount = { request: '1', limit: '2' };
  const written = configAnnotations(
    {
      opaquePorts: [1],
      skipInboundPorts: [1],
      skipOutboundPorts: [1],
      skipSubnets: ['10.0.0.0/8'],
      podInboundPorts: [1],
      defaultInboundPolicy: 'deny',
      externalProfiles: true,
      debugSidecar: { name: 'a', version: 'b', pullPolicy: 'Always' },
      traceAttributes: { a: 'b' },
      proxy: {
        cpu: amount,
        memory: amount,
        ephemeralStorage: amount,
        await: true,
        nativeSidecar: true,
        uid: 1,
        gid: 1,
        env: [],
        logLevel: 'info',
        accessLog: 'json',
        unlimitedProtocolDetection: { inbound: true, outbound: true },
        ports: { control: 1, admin: 2, inbound: 3, outbound: 4 },
      },
    },
    releaseOf(version),
  );
  const effects = Object.keys(written).map((key) => effectsOf(key)?.(undefined, '1')[0]?.effect ?? `none of ${key}`);
  expect(effects.filter((effect) => effect === 'unknown' || effect.startsWith('none'))).toEqual([]);
});

test.each<[string, string | undefined, string | undefined, readonly object[]]>([
  [
    keys.SKIP_INBOUND_PORTS,
    undefined,
    '8080, 9000-9010',
    [{ effect: 'inbound-leaves-proxy', severity: 'opens-access', of: ['8080', '9000-9010'] }],
  ],
  [
    keys.SKIP_INBOUND_PORTS,
    '8080,1',
    '1,2',
    [
      { effect: 'inbound-returns-to-proxy', severity: 'breaks-traffic', of: ['8080'] },
      { effect: 'inbound-leaves-proxy', of: ['2'] },
    ],
  ],
  [keys.SKIP_INBOUND_PORTS, '1,2', '2, 1', []],
  [keys.SKIP_OUTBOUND_PORTS, undefined, '443', [{ effect: 'outbound-leaves-proxy', severity: 'breaks-traffic' }]],
  [keys.SKIP_SUBNETS, undefined, '10.0.0.0/8', [{ effect: 'subnets-leave-proxy', severity: 'opens-access' }]],
  [keys.OPAQUE_PORTS, '3306', undefined, [{ effect: 'opaque-ports-removed', severity: 'warning', of: ['3306'] }]],
  [
    keys.DEFAULT_INBOUND_POLICY,
    'audit',
    'deny',
    [
      {
        effect: 'policy-refuses',
        severity: 'breaks-traffic',
        of: [
          'unmeshed clients outside of the cluster',
          'unmeshed clients',
          'meshed clients of other clusters',
          'meshed clients',
        ],
      },
    ],
  ],
  [keys.DEFAULT_INBOUND_POLICY, undefined, 'deny', [{ effect: 'policy-refuses' }]],
  [keys.DEFAULT_INBOUND_POLICY, 'deny', undefined, [{ effect: 'policy-admits', severity: 'opens-access' }]],
  [
    keys.DEFAULT_INBOUND_POLICY,
    'cluster-unauthenticated',
    'all-authenticated',
    [
      { effect: 'policy-refuses', of: ['unmeshed clients'] },
      { effect: 'policy-admits', of: ['meshed clients of other clusters'] },
    ],
  ],
  [keys.DEFAULT_INBOUND_POLICY, undefined, 'audit', [{ effect: 'policy-audits', severity: 'info' }]],
  [keys.DEFAULT_INBOUND_POLICY, 'deny', 'no-such', [{ effect: 'policy-unknown', severity: 'warning' }]],
  [
    keys.REQUIRE_IDENTITY_INBOUND_PORTS,
    '80',
    '81',
    [
      { effect: 'identity-required', severity: 'breaks-traffic', of: ['81'] },
      { effect: 'identity-not-required', severity: 'opens-access', of: ['80'] },
    ],
  ],
  [keys.ENABLE_GATEWAY, undefined, 'true', [{ effect: 'gateway-opened', severity: 'opens-access' }]],
  [keys.PROXY_LOG_LEVEL, 'info', 'warn', [{ effect: 'log', severity: 'info' }]],
  ['config.linkerd.io/of-next-year', undefined, 'a', [{ effect: 'unknown', severity: 'warning' }]],
  ['example.com/team', undefined, 'a', []],
])('diff has a consequence for a change of %s of a namespace from %s to %s', (annotation, before, after, expected) => {
  const of = (value: string | undefined) =>
    namespace({ annotations: value === undefined ? {} : { [annotation]: value } });
  const found = settings(compareObject(of(before), of(after)));
  const common = { object: 'Namespace shop', setting: annotation, when: 'pod-start' };
  expect(found).toMatchObject(expected.map((effect) => ({ ...common, ...effect })));
  expect(found).toHaveLength(expected.length);
});

test('diff names the workloads that inherit an annotation of their namespace', () => {
  const others: Files = {
    'shop/deployment.api.yaml': deployment('api'),
    'shop/deployment.own.yaml': deployment('own', { [keys.SKIP_INBOUND_PORTS]: '1' }),
    'shop/deployment.out.yaml': deployment('out', { 'linkerd.io/inject': 'disabled' }),
  };
  const of = (annotations: object): Files => ({
    ...others,
    'shop/namespace.shop.yaml': namespace({ annotations: { 'linkerd.io/inject': 'enabled', ...annotations } }),
  });
  const diff = compareHome(of({}), of({ [keys.SKIP_INBOUND_PORTS]: '80' }));
  expect(settings(diff)).toMatchObject([{ workloads: ['Deployment shop/api'] }]);
  expect(renderDiff(diff, 'text', DEFAULT_LIMIT)).toContain(
    'Opens access: Connections to the ports 80 bypass the proxy: without mTLS, and any client is allowed (config.linkerd.io/skip-inbound-ports), for new pods. Affected workloads in the output: Deployment shop/api: Namespace shop',
  );
});

test('diff reports only the injection of a workload that gets or loses its proxy', () => {
  const of = (annotations: object): Files => ({
    'shop/namespace.shop.yaml': namespace({}),
    'shop/deployment.a.yaml': deployment('a', annotations),
  });
  const effectsOf = (before: object, after: object) => settings(compareHome(of(before), of(after)));
  const meshed = { 'linkerd.io/inject': 'enabled', [keys.SKIP_INBOUND_PORTS]: '80' };
  expect(effectsOf({}, meshed)).toMatchObject([{ effect: 'proxy-added', severity: 'warning' }]);
  expect(effectsOf(meshed, {})).toMatchObject([{ effect: 'proxy-removed', severity: 'breaks-traffic' }]);
  expect(effectsOf({}, { [keys.SKIP_INBOUND_PORTS]: '80' })).toEqual([]);
  expect(effectsOf(meshed, { ...meshed, [keys.SKIP_INBOUND_PORTS]: '81' })).toHaveLength(2);
});

test('diff assumes that a namespace new in the output may have pods', () => {
  expect(
    settings(compareObject(undefined, namespace({ annotations: { [keys.DEFAULT_INBOUND_POLICY]: 'deny' } }))),
  ).toMatchObject([{ effect: 'policy-refuses', severity: 'warning' }]);
  expect(settings(compareObject(undefined, namespace({ annotations: { [keys.PROXY_LOG_LEVEL]: 'info' } })))).toEqual(
    [],
  );
});

test('diff applies annotations of workloads at restart, CronJobs at the next pod, Services at once', () => {
  const change = (of: (annotations: object) => object) =>
    settings(compareObject(of({}), of({ [keys.OPAQUE_PORTS]: '3306' })));
  expect(change((annotations) => deployment('a', annotations))).toMatchObject([{ when: 'rollout' }]);
  const cron = (annotations: object) =>
    object('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: { template: { metadata: { annotations } } } } } });
  expect(change(cron)).toMatchObject([{ when: 'pod-start', object: 'CronJob b/a' }]);
  expect(change((annotations) => object('v1', 'Service', {}, { annotations }))).toMatchObject([{ when: 'at-once' }]);
  expect(
    settings(compareObject(deployment('a', {}), deployment('a', { 'linkerd.io/inject': 'disabled' }))),
  ).toMatchObject([]);
  const injected = { 'linkerd.io/inject': 'enabled' };
  expect(settings(compareObject(deployment('a', injected), deployment('a')))).toMatchObject([
    { effect: 'proxy-removed', severity: 'breaks-traffic', object: 'Deployment shop/a' },
  ]);
});

test('diff treats values of the mesh as defaults of all pods', () => {
  const audit = 'linkerdVersion: edge-26.8.3\nproxy:\n  defaultInboundPolicy: audit\n';
  const deny = audit.replace('audit', 'deny');
  expect(settings(compareObject(meshConfig(audit), meshConfig(deny)))).toMatchObject([
    { setting: 'proxy.defaultInboundPolicy', effect: 'policy-refuses', severity: 'breaks-traffic', when: 'at-once' },
  ]);
  const laid = object('config.linkerd.io/v1alpha1', 'LinkerdConfig', {
    spec: { values: { proxy: { defaultInboundPolicy: 'deny' } } },
  });
  const others = { 'linkerd/configmap.linkerd-config.yaml': meshConfig(audit) };
  expect(settings(compareObject(undefined, laid, others))).toMatchObject([{ effect: 'policy-refuses' }]);
  const helm = (policy: string): Files => ({
    'linkerd/Chart.yaml':
      'dependencies:\n  - name: linkerd-control-plane\n    version: 2026.8.3\n    repository: https://example.com\n',
    'linkerd/values.yaml': `linkerd-control-plane:\n  proxy:\n    defaultInboundPolicy: ${policy}\n`,
  });
  expect(settings(compareHome(helm('deny'), helm('all-unauthenticated')))).toMatchObject([
    { effect: 'policy-admits', severity: 'opens-access' },
  ]);
  // A namespace without the annotation has the policy of the mesh, before and after.
  const map = { 'linkerd/configmap.linkerd-config.yaml': meshConfig(deny) };
  const denied = namespace({ annotations: { [keys.DEFAULT_INBOUND_POLICY]: 'deny' } });
  expect(settings(compareObject(namespace({}), denied, map))).toMatchObject([{ effect: 'policy-audits' }]);
});

const server = (accessPolicy = 'deny') =>
  object('policy.linkerd.io/v1beta3', 'Server', {
    spec: { podSelector: { matchLabels: { app: 'api' } }, port: 80, accessPolicy },
  });
const policy = (name: string, target = 'a') =>
  object(
    'policy.linkerd.io/v1alpha1',
    'AuthorizationPolicy',
    {
      spec: {
        targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: target },
        requiredAuthenticationRefs: [{ kind: 'ServiceAccount', name }],
      },
    },
    { name: 'p' },
  );

test('diff reports policies that break traffic or open access', () => {
  const found = (before: object | undefined, after: object | undefined, others: Files = {}) =>
    consequences(compareObject(before, after, others)).map(({ code, severity }) => `${severity} ${code}`);
  expect(found(server('audit'), server())).toEqual(['breaks-traffic clients-lost']);
  expect(found(server(), server('all-unauthenticated'))).toEqual(['opens-access clients-gained']);
  const others = { 'b/server.yaml': server() };
  expect(found(policy('web'), undefined, others)).toContain('breaks-traffic clients-lost');
  expect(found(policy('web'), policy('api'), others)).toEqual([
    'breaks-traffic clients-lost',
    'opens-access clients-gained',
  ]);
  expect(found(undefined, server())).toEqual(['breaks-traffic server-added']);
  expect(found(undefined, server('all-unauthenticated'))).toEqual(['info server-added']);
  expect(found(server(), undefined, { 'b/o.yaml': policy('x', 'x') })).toContain('opens-access server-removed');
  const denied = {
    'b/namespace.yaml': namespace({ name: 'b', annotations: { [keys.DEFAULT_INBOUND_POLICY]: 'deny' } }),
  };
  expect(found(undefined, server('all-authenticated'), denied)).toEqual(['opens-access server-added']);
  expect(found(server('all-authenticated'), undefined, denied)).toContain('breaks-traffic server-removed');
  expect(found(policy('web', 'elsewhere'), policy('api', 'elsewhere'))).toEqual(['warning server-unknown']);
  const egress = (trafficPolicy: string) =>
    object('policy.linkerd.io/v1alpha1', 'EgressNetwork', { spec: { trafficPolicy } });
  expect(found(egress('Allow'), egress('Deny'))).toEqual(['breaks-traffic egress-policy-changed']);
  expect(found(egress('Deny'), egress('Allow'))).toEqual(['opens-access egress-policy-changed']);
  const limit = (requestsPerSecond: number) =>
    object('policy.linkerd.io/v1alpha1', 'HTTPLocalRateLimitPolicy', { spec: { total: { requestsPerSecond } } });
  expect(found(limit(1), limit(2))).toEqual(['warning rate-limit-changed']);
});

test('diff reports no broken traffic for a Server of new pods', () => {
  const pods = object('apps/v1', 'Deployment', { spec: { template: { metadata: { labels: { app: 'api' } } } } });
  const before = cluster({ 'c/o.yaml': object('v1', 'ConfigMap') });
  const after = cluster({ 'c/o.yaml': object('v1', 'ConfigMap'), 'b/s.yaml': server(), 'b/d.yaml': pods });
  expect(consequences(compare({ home: before }, { home: after }))).toMatchObject([
    { code: 'server-added', severity: 'info' },
  ]);
});

test('diff reports unknown consequences, and lists the most severe first', () => {
  const unknown = renderDiff(
    compareObject(object('v1', 'ConfigMap', { data: { a: '1' } }), object('v1', 'ConfigMap', { data: { a: '2' } })),
    'text',
    DEFAULT_LIMIT,
  );
  expect(unknown).toContain('No known consequences.');
  const before = { 'b/d.yaml': deployment('a'), 'b/s.yaml': server('audit') };
  const after = { 'b/d.yaml': deployment('a', { [keys.PROXY_LOG_LEVEL]: 'info' }), 'b/s.yaml': server() };
  const grave = renderDiff(compareHome(before, after), 'text', DEFAULT_LIMIT);
  expect(grave).toContain('1 breaks traffic, 1 to review, 1 for information.');
  expect(grave.indexOf('Breaks traffic: No longer allows')).toBeLessThan(grave.indexOf('Rolling restart'));
});
