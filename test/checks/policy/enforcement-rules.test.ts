import { stringifyYaml } from '#base/yaml-writer';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { codesIn, findingsIn, namespace, route, SHOP, server, shopWith, workload } from './fixture';

const NOT_KEPT = ['Deployment api: policy-not-enforced'];
const annotated = (annotations: Record<string, string>) => ({ annotations });
const skipping = (ports: string) => ({ 'config.linkerd.io/skip-inbound-ports': ports });
const listening = (...numbers: number[]) => ({
  ports: numbers.map((containerPort, index) => ({ name: index === 0 ? 'http' : `p${index}`, containerPort })),
});
const plain = (name: string, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
});

/** The configuration that the injector of a mesh reads. */
function meshOf(values: object): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'linkerd-config', namespace: 'linkerd' },
    data: { values: stringifyYaml(values) },
  };
}

const ignoring = (ports: string) => meshOf({ proxyInit: { ignoreInboundPorts: ports } });

describe.each<[string, KubernetesObject, ...KubernetesObject[]]>([
  ['are excluded', SHOP, workload('api', {}, annotated({ 'linkerd.io/inject': 'disabled' }))],
  ['have an unknown injection mode', SHOP, workload('api', {}, annotated({ 'linkerd.io/inject': 'true' }))],
  ['are on the network of their node', SHOP, workload('api', {}, { hostNetwork: true })],
  ['are in a namespace that is not meshed', plain('shop'), workload('api')],
  ['are in a namespace that is excluded', namespace('shop', { 'linkerd.io/inject': 'disabled' }), workload('api')],
  [
    'are in a namespace that the injector ignores, although they request a proxy',
    plain('shop', { labels: { 'config.linkerd.io/admission-webhooks': 'disabled' } }),
    workload('api', {}, annotated({ 'linkerd.io/inject': 'enabled' })),
  ],
  ['skip the port', SHOP, workload('api', {}, annotated(skipping('80, 8000-9000')))],
  ['skip the port by their namespace', namespace('shop', skipping('8080')), workload('api')],
  ['skip the port by the values of the mesh', SHOP, workload('api'), ignoring('8080')],
  ['serve a port that each mesh skips by default', SHOP, workload('api', listening(4567))],
  ['serve the port of the proxy itself', SHOP, workload('api', listening(4143))],
  ['serve the control port of the proxy', SHOP, workload('api', listening(4190))],
  ['skip a network', SHOP, workload('api', {}, annotated({ 'config.linkerd.io/skip-subnets': '10.0.0.0/8' }))],
  ['skip a network by namespace', namespace('shop', { 'config.linkerd.io/skip-subnets': 'fd00::/8' }), workload('api')],
  ['skip a network by values of the mesh', SHOP, workload('api'), meshOf({ proxyInit: { skipSubnets: '10.0.0.0/8' } })],
  [
    'serve the port that an annotation sets for the proxy',
    SHOP,
    workload('api', {}, annotated({ 'config.linkerd.io/inbound-port': '8080' })),
  ],
  ['serve the port that values give the proxy', SHOP, workload('api'), meshOf({ proxy: { ports: { inbound: 8080 } } })],
])('pods that %s', (_, around, api, ...mesh) => {
  test('do not enforce a Server', () => {
    expect(codesIn(around, api, ...mesh, server('api'))).toEqual(NOT_KEPT);
    expect(codesIn(around, api, ...mesh, server('api', { accessPolicy: 'audit' }))).toEqual(NOT_KEPT);
  });

  test.each(['deny', 'audit', 'all-authenticated'])(
    'do not enforce the default policy %s of their namespace',
    (policy) => {
      const { annotations } = around.metadata;
      const of = { 'config.linkerd.io/default-inbound-policy': policy };
      const shop = { ...around, metadata: { ...around.metadata, annotations: { ...annotations, ...of } } };
      expect(codesIn(shop, api, ...mesh).filter((code) => code.endsWith('not-enforced'))).toEqual(NOT_KEPT);
    },
  );
});

const container = { name: 'main', ports: [{ name: 'http', containerPort: 8080 }] };
const pod = { metadata: { labels: { app: 'api' } }, spec: { containers: [container] } };
const metadata = { name: 'api', namespace: 'shop' };

test.each<[string, KubernetesObject]>([
  ['Pod', { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ...pod.metadata }, spec: pod.spec }],
  [
    'CronJob',
    { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec: { jobTemplate: { spec: { template: pod } } } },
  ],
  ['Rollout', { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata, spec: { template: pod } }],
])('checkPolicies reports that a %s without a proxy does not enforce a Server', (_, object) => {
  expect(codesIn(plain('shop'), object, server('api'))).toEqual([`${object.kind} api: policy-not-enforced`]);
});

describe('checkPolicies accepts that a Server is enforced', () => {
  test.each<[string, readonly KubernetesObject[]]>([
    [
      'by pods that request a proxy themselves',
      [plain('shop'), workload('api', {}, annotated({ 'linkerd.io/inject': 'ingress' }))],
    ],
    [
      'by pods that contain a proxy',
      [plain('shop'), workload('api', {}, { initContainers: [{ name: 'linkerd-proxy' }] } as object)],
    ],
    ['in a namespace that no object declares', [workload('api')]],
    ['by pods that skip another port', [SHOP, workload('api', {}, annotated(skipping('1-8079,8081')))]],
    [
      'by pods that replace the skipped ports of the mesh',
      [SHOP, workload('api', listening(4567), annotated(skipping('25')))],
    ],
    [
      'although the networks of the nodes bypass proxies',
      [
        SHOP,
        workload('api'),
        meshOf({
          proxyInit: { skipSubnets: '10.1.0.0/24, 10.1.1.0/24' },
          policyController: { probeNetworks: ['10.1.0.0/16'] },
        }),
      ],
    ],
    ['at a port that values no longer skip', [SHOP, workload('api', listening(4567)), ignoring('25')]],
    [
      'by all selected pods with its port, although other pods have no proxy',
      [
        SHOP,
        workload('api'),
        workload('batch', { ports: [{ containerPort: 9090 }] }, annotated({ 'linkerd.io/inject': 'disabled' })),
        server('all', { podSelector: {}, port: 8080 }),
      ],
    ],
    [
      'if it belongs to a chart of Linkerd',
      [
        SHOP,
        workload('web', listening(4143)),
        {
          ...server('gateway', { podSelector: {} }),
          metadata: { name: 'gateway', namespace: 'shop', labels: { 'linkerd.io/extension': 'multicluster' } },
        },
      ],
    ],
  ])('%s', (_, objects) => {
    const own = objects.some(({ kind }) => kind === 'Server') ? [] : [server('api')];
    expect(codesIn(...objects, ...own).filter((code) => code.endsWith('not-enforced'))).toEqual([]);
  });

  test('if it selects only injected pods', () => {
    const injected = { matchExpressions: [{ key: 'linkerd.io/control-plane-ns', operator: 'Exists' }] };
    const batch = workload('batch', listening(4191), annotated({ 'linkerd.io/inject': 'disabled' }));
    expect(codesIn(SHOP, workload('api'), batch, server('admin', { podSelector: injected, port: 4191 }))).toEqual([]);
  });
});

test('checkPolicies overrides the skipped ports of the mesh by the values of a LinkerdConfig', () => {
  const over: KubernetesObject = {
    apiVersion: 'config.linkerd.io/v1alpha1',
    kind: 'LinkerdConfig',
    metadata: { name: 'mesh' },
    spec: { values: { proxyInit: { ignoreInboundPorts: '8080' } } },
  };
  expect(codesIn(SHOP, workload('api'), ignoring('25'), server('api'))).toEqual([]);
  expect(codesIn(SHOP, workload('api'), ignoring('25'), over, server('api'))).toEqual(NOT_KEPT);
});

test('checkPolicies reports each workload that does not enforce a Server, with the setting to change', () => {
  const excluded = annotated({ 'linkerd.io/inject': 'disabled' });
  const found = findingsIn(
    SHOP,
    workload('api'),
    workload('old', {}, { ...excluded, labels: { app: 'api' } }),
    workload('older', {}, { labels: { app: 'api' }, ...annotated(skipping('8080')) }),
    server('api'),
  );
  const finding = (cause: string, parameters: object) => ({
    severity: 'error',
    problem: { code: 'policy-not-enforced', cause, parameters: { policy: 'Server shop/api', ...parameters } },
  });
  expect(found).toMatchObject([
    finding('injection', { object: 'Deployment shop/old', annotation: 'linkerd.io/inject', value: 'disabled' }),
    finding('port-skipped', {
      object: 'Deployment shop/older',
      port: 8080,
      setting: 'the annotation config.linkerd.io/skip-inbound-ports (skipInboundPorts of meshing.inject)',
    }),
  ]);
});

describe('the default policy of a namespace', () => {
  const own = (policy: string) => annotated({ 'config.linkerd.io/default-inbound-policy': policy });

  test.each([
    ['deny', 'audit'],
    ['deny', 'all-unauthenticated'],
    ['all-authenticated', 'cluster-unauthenticated'],
  ])('(%s) is overridden by pods with %s', (policy, undone) => {
    expect(codesIn(shopWith(policy), workload('api', {}, own(undone)))).toEqual(NOT_KEPT);
  });

  test.each([
    ['audit', 'deny'],
    ['audit', 'all-unauthenticated'],
    ['deny', 'all-authenticated'],
  ])('(%s) is not weakened by pods with %s', (policy, kept) => {
    expect(
      codesIn(shopWith(policy), workload('api', {}, own(kept))).filter((code) => code.endsWith('not-enforced')),
    ).toEqual([]);
  });

  test('is not required of pods with a Server for each port', () => {
    expect(codesIn(shopWith('deny'), workload('api', {}, own('all-unauthenticated')), server('api'))).toEqual([]);
  });

  test('is not required of pods without ports', () => {
    const job = workload('job', { ports: [] }, annotated({ 'linkerd.io/inject': 'disabled' }));
    expect(codesIn(shopWith('deny'), job, workload('web', { ports: [] }))).toEqual([]);
  });

  test('is not enforced if no pod has a proxy', () => {
    const shop = plain('shop', own('deny'));
    expect(codesIn(shop, workload('job', { ports: [] }))).toEqual(['Namespace shop: policy-not-enforced']);
    expect(codesIn(shop, workload('api', {}, annotated({ 'linkerd.io/inject': 'enabled' })))).toEqual([
      'Deployment api: workload-unreachable',
    ]);
  });

  test('may be a policy that the pods set themselves', () => {
    const api = workload('api', {}, { hostNetwork: true, ...own('deny') });
    expect(codesIn(SHOP, api)).toEqual(NOT_KEPT);
  });
});

describe('an EgressNetwork', () => {
  const egress = (trafficPolicy: string): KubernetesObject => ({
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'EgressNetwork',
    metadata: { name: 'egress', namespace: 'shop' },
    spec: { trafficPolicy },
  });
  const toPort = (port: number): KubernetesObject => ({
    ...route('db', []),
    spec: { parentRefs: [{ group: 'policy.linkerd.io', kind: 'EgressNetwork', name: 'egress', port }], rules: [] },
  });
  const past = (ports: string) => annotated({ 'config.linkerd.io/skip-outbound-ports': ports });
  const found = (...objects: KubernetesObject[]) => codesIn(...objects).filter((code) => code.endsWith('not-enforced'));
  const OF_EGRESS = ['EgressNetwork egress: policy-not-enforced'];
  const job = workload('job', { ports: [] }, annotated({ 'linkerd.io/inject': 'disabled' }));

  test.each<[string, readonly KubernetesObject[]]>([
    ['that have no proxy', [SHOP, job]],
    ['that skip the port of TLS', [SHOP, workload('api', {}, past('443'))]],
    ['that skip port 443 by their namespace', [namespace('shop', past('1-1000').annotations), workload('api')]],
    ['that skip port 443 by values', [SHOP, workload('api'), meshOf({ proxyInit: { ignoreOutboundPorts: '443' } })]],
    ['that skip the port of a route', [SHOP, workload('api', {}, past('9200')), toPort(9200)]],
  ])('with trafficPolicy Deny is not enforced by pods %s', (_, objects) => {
    expect(found(...objects, workload('web'), egress('Deny')).slice(0, 1)).toEqual(OF_EGRESS);
  });

  test('with trafficPolicy Deny is enforced by pods that skip the port of a database in the cluster', () => {
    expect(found(SHOP, workload('api', {}, past('5432')), egress('Deny'))).toEqual([]);
  });

  test('with trafficPolicy Allow is reported only if no pod has a proxy', () => {
    expect(found(SHOP, job, workload('web'), egress('Allow'))).toEqual([]);
    expect(found(SHOP, job, egress('Allow'))).toEqual(OF_EGRESS);
    expect(found(SHOP, egress('Allow'))).toEqual([]);
  });
});
