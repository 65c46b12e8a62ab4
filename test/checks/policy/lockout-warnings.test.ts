import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { API, account, codesIn, everybody, exact, namespace, route, SHOP, server, shopWith, workload } from './fixture';

const service = (spec: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'api', namespace: 'shop' },
  spec: { selector: { app: 'api' }, ports: [{ name: 'web', port: 80, targetPort: 'http' }], ...spec },
});

describe('checkPolicies, for an ingress,', () => {
  const ingress = (port: object = { number: 80 }): KubernetesObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'api', namespace: 'shop' },
    spec: { rules: [{ http: { paths: [{ backend: { service: { name: 'api', port } } }] } }] },
  });
  const ingressRoute: KubernetesObject = {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'IngressRoute',
    metadata: { name: 'api', namespace: 'edge' },
    spec: { routes: [{ services: [{ kind: 'Service', name: 'api', namespace: 'shop', port: 80 }] }] },
  };
  const objects = (...more: KubernetesObject[]) => [SHOP, workload('api'), service(), ...more];

  test.each([
    ['an Ingress by the number of the port,', ingress()],
    ['an Ingress by the name of the port,', ingress({ name: 'web' })],
    ['an IngressRoute of Traefik', ingressRoute],
  ])('reports %s to a port that admits only other clients', (_, entry) => {
    const locked = [`${entry.kind} api: ingress-denied`];
    expect(codesIn(...objects(entry, server('api'), account('web', API)))).toEqual(locked);
    expect(codesIn(...objects(entry))).toEqual([]);
  });

  test.each([
    ['a ServiceAccount of the ingress', [account('nginx', API, 'ingress')]],
    ['all clients', everybody('all', API)],
    ['all clients, for some requests', [route('r', [exact('/')]), ...everybody('r', { kind: 'HTTPRoute', name: 'r' })]],
  ])('accepts an ingress if the Server admits %s', (_, policies) => {
    expect(codesIn(...objects(ingress(), server('api'), ...policies))).toEqual([]);
  });

  test('accepts an ingress to an audited Server, and reports an ingress to pods with the default policy deny', () => {
    expect(codesIn(...objects(ingress(), server('api', { accessPolicy: 'audit' })))).toEqual([]);
    expect(codesIn(shopWith('deny'), workload('api'), service(), ingress())).toEqual([
      'Deployment api: workload-unreachable',
      'Ingress api: ingress-denied',
    ]);
  });

  test('ignores an ingress to an undeclared Service, or to another port', () => {
    expect(codesIn(SHOP, workload('api'), server('api'), ingress())).toEqual([]);
    expect(codesIn(...objects(ingress({ number: 81 }), server('api')))).toEqual([]);
    expect(codesIn(SHOP, workload('api'), service({ selector: undefined }), server('api'), ingress())).toEqual([]);
  });
});

describe('checkPolicies, for a scraper,', () => {
  const monitor = (spec: object = {}, kept?: string): KubernetesObject => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name: 'monitor', namespace: 'monitoring' },
    spec: {
      namespaceSelector: { any: true },
      selector: {},
      podMetricsEndpoints: [kept === undefined ? { port: 'http' } : { relabelings: [{ action: 'keep', regex: kept }] }],
      ...spec,
    },
  });
  const PROXIES = monitor({}, '^linkerd-proxy;linkerd-admin$');
  const LOCKED = ['PodMonitor monitor: scraper-denied'];
  const reached = [server('api'), ...everybody('all', API)];

  test('reports a scraper of proxies once for each namespace with the default policy deny', () => {
    const pods = [workload('api'), workload('web', { ports: [] })];
    expect(codesIn(shopWith('deny'), ...pods, ...reached, PROXIES)).toEqual(LOCKED);
    expect(codesIn(shopWith('audit'), ...pods, PROXIES)).toEqual([]);
    expect(codesIn(shopWith('all-authenticated'), ...pods, PROXIES)).toEqual([]);
    expect(codesIn(SHOP, ...pods, ...reached, PROXIES)).toEqual([]);
  });

  test('accepts a scraper of proxies if a route admits its ServiceAccount to the metrics', () => {
    const admin = server('admin', { port: 4191, podSelector: {} });
    const metrics = route('metrics', [exact('/metrics'), exact('/live'), exact('/ready')], 'admin');
    const objects = [shopWith('deny'), workload('api'), ...reached, PROXIES, admin, metrics];
    const target = { kind: 'HTTPRoute', name: 'metrics' };
    const probes = everybody('probes', { kind: 'HTTPRoute', name: 'metrics' });
    expect(codesIn(...objects, ...probes)).toEqual([]);
    const own = [account('prometheus', target, 'monitoring'), namespace('monitoring')];
    expect(codesIn(...objects, ...own).filter((code) => !code.endsWith('probe-denied'))).toEqual([]);
  });

  test('reports a scraper of a port that admits only other clients', () => {
    expect(codesIn(SHOP, workload('api'), server('api'), account('web', API), monitor())).toEqual(LOCKED);
    expect(codesIn(SHOP, workload('api'), server('api'), account('p', API, 'monitoring'), monitor())).toEqual([]);
    expect(codesIn(SHOP, workload('api'), server('api'), monitor({ namespaceSelector: {} }))).toEqual([]);
    expect(codesIn(SHOP, workload('api'), server('api'), monitor({ selector: { matchLabels: { app: 'x' } } }))).toEqual(
      [],
    );
  });

  test('recognizes the Prometheus of Viz by its ServiceAccount', () => {
    const viz: KubernetesObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'prometheus', namespace: 'linkerd-viz', labels: { 'linkerd.io/extension': 'viz' } },
      spec: {},
    };
    const admin = server('admin', { port: 4191, podSelector: {} });
    const objects = [shopWith('deny'), workload('api'), ...reached, admin, viz];
    expect(codesIn(...objects)).toEqual(['Deployment prometheus: scraper-denied']);
    const target = { kind: 'Server', name: 'admin' };
    expect(codesIn(...objects, account('prometheus', target, 'monitoring'))).toHaveLength(1);
    expect(codesIn(...objects, account('prometheus', target, 'linkerd-viz'))).toEqual([]);
  });
});

describe('checkPolicies, for pods that no client can reach,', () => {
  const UNREACHABLE = ['Deployment api: workload-unreachable'];

  test('reports pods with ports and without a Server in a namespace with the default policy deny', () => {
    expect(codesIn(shopWith('deny'), workload('api'))).toEqual(UNREACHABLE);
    expect(codesIn(shopWith('audit'), workload('api'))).toEqual([]);
    expect(codesIn(shopWith('deny'), workload('api', { ports: [] }))).toEqual([]);
    expect(codesIn(shopWith('deny'), workload('api'), server('api'))).toEqual([]);
  });

  test('prefers the default policy of the pods to the default policy of the namespace', () => {
    const annotations = { 'config.linkerd.io/default-inbound-policy': 'all-authenticated' };
    expect(codesIn(shopWith('deny'), workload('api', {}, { annotations }))).toEqual([]);
    const denied = { annotations: { 'config.linkerd.io/default-inbound-policy': 'deny' } };
    expect(codesIn(SHOP, workload('api', {}, denied))).toEqual(UNREACHABLE);
    const disabled = { annotations: { 'linkerd.io/inject': 'disabled' } };
    expect(codesIn(shopWith('deny'), workload('api', {}, disabled))).toEqual(['Deployment api: policy-not-enforced']);
  });
});

describe('checkPolicies, for Services that API servers call,', () => {
  const called = { namespace: 'shop', name: 'api', port: 80 };
  const object = (apiVersion: string, kind: string, fields: object): KubernetesObject => ({
    apiVersion,
    kind,
    metadata: { name: 'api' },
    ...fields,
  });
  const ADMISSION = 'admissionregistration.k8s.io/v1';
  const webhooks = { webhooks: [{ clientConfig: { url: 'https://a' } }, { clientConfig: { service: called } }] };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig: { service: called } } };
  const callers: readonly KubernetesObject[] = [
    object(ADMISSION, 'ValidatingWebhookConfiguration', webhooks),
    object(ADMISSION, 'MutatingWebhookConfiguration', webhooks),
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec: { conversion } }),
    object('apiregistration.k8s.io/v1', 'APIService', { spec: { service: called } }),
  ];

  test.each(callers)('reports a Server or default policy that refuses API servers: %j', (caller) => {
    const denied = [`${caller.kind} api: webhook-denied`];
    const behind = (...more: KubernetesObject[]) => codesIn(...more, service(), caller);
    expect(behind(shopWith('all-authenticated'), workload('api'))).toEqual(denied);
    expect(behind(SHOP, workload('api'), server('api'), account('web', API))).toEqual(denied);
    expect(behind(SHOP, workload('api'), server('api'), ...everybody('all', API))).toEqual([]);
    expect(behind(SHOP, workload('api'), server('api', { accessPolicy: 'audit' }))).toEqual([]);
    expect(behind(SHOP, workload('api'))).toEqual([]);
    const skipped = { 'config.linkerd.io/skip-inbound-ports': '8080' };
    expect(behind(shopWith('all-authenticated'), workload('api', {}, { annotations: skipped }))).not.toContain(
      denied[0],
    );
  });

  test('uses 443 as the default port of a webhook', () => {
    const [caller] = callers;
    const without = { webhooks: [{ clientConfig: { service: { namespace: 'shop', name: 'api' } } }] };
    const https = service({ ports: [{ port: 443, targetPort: 'http' }] });
    const objects = [shopWith('all-authenticated'), workload('api'), { ...caller, ...without } as KubernetesObject];
    expect(codesIn(...objects, https)).toEqual(['ValidatingWebhookConfiguration api: webhook-denied']);
    expect(codesIn(...objects, service())).toEqual([]);
  });
});
