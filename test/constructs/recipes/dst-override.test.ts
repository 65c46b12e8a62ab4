import type { ApiObjectProps } from 'cdk8s';
import { ApiObject, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { DstOverride, DstOverrideRemoval } from '#lib/constructs/recipes/dst-override';
import { Cluster } from '#lib/gitops/tree/cluster';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { mesh, problemsOf } from '../meshing/fixture';

const WEB = { name: 'web', namespace: 'shop' };
const MIDDLEWARES = 'traefik.ingress.kubernetes.io/router.middlewares';

const override = (scope: Construct) => new DstOverride(scope, 'override', { service: WEB, port: 80 });

describe('the Middleware', () => {
  test('sends requests to the port of the service', () => {
    const { chart } = mesh();
    override(chart);
    expect(plainObjects(chart)).toEqual([
      {
        apiVersion: 'traefik.io/v1alpha1',
        kind: 'Middleware',
        metadata: { name: 'web-l5d-dst-override', namespace: 'shop' },
        spec: { headers: { customRequestHeaders: { 'l5d-dst-override': 'web.shop.svc.cluster.local:80' } } },
      },
    ]);
  });

  test('has the domain of its Cluster, or that of its props', () => {
    const cluster = new Cluster(Testing.app(), 'home', { domain: 'home.arpa' });
    override(cluster);
    new DstOverride(cluster, 'other', { service: WEB, port: 81, name: 'other', clusterDomain: 'lan' });
    expect(plainObjects(cluster).map(({ spec }) => spec.headers.customRequestHeaders['l5d-dst-override'])).toEqual([
      'web.shop.svc.home.arpa:80',
      'web.shop.svc.lan:81',
    ]);
  });

  test('accepts the service as an object', () => {
    const { chart } = mesh();
    const service = new kplus.Service(chart, 'web', { metadata: WEB, ports: [{ port: 80 }] });
    expect(new DstOverride(chart, 'override', { service, port: 80 }).reference).toBe(
      'shop-web-l5d-dst-override@kubernetescrd',
    );
    expect(problemsOf(chart)).toEqual([]);
  });

  test.each([
    [{ service: { name: 'My_Web', namespace: 'shop' }, port: 80 }, 'The name of service is "My_Web"'],
    [{ service: { name: 'web', namespace: 'a.b' }, port: 80 }, 'The namespace of service is "a.b"'],
    [{ service: WEB, port: 0 }, 'port is 0'],
    [{ service: WEB, port: 80, name: 'a_b' }, 'name is "a_b"'],
    [{ service: WEB, port: 80, clusterDomain: '.local' }, 'clusterDomain is ".local"'],
  ])('refuses %j', (props, what) => {
    const { chart } = mesh();
    new DstOverride(chart, 'override', props);
    expect(problemsOf(chart)).toEqual([expect.stringContaining(what)]);
  });

  test.each<[object, object]>([
    [
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
      { field: 'service', name: 'web' },
    ],
    [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: WEB },
      { field: 'service', kind: 'ConfigMap', name: 'web' },
    ],
  ])('refuses %j, which is not a Service with a namespace', (object, parameters) => {
    const chart = Testing.chart();
    const service = new ApiObject(chart, 'web', object as ApiObjectProps);
    new DstOverride(chart, 'override', { service, port: 80 });
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'canary-route-refused', parameters }]);
  });
});

describe('on an Ingress,', () => {
  const path = (name: string) => ({
    path: '/',
    pathType: 'Prefix',
    backend: { service: { name, port: { number: 80 } } },
  });
  const ingress = (scope: Construct, spec: object, metadata: object = {}) =>
    new ApiObject(scope, 'ingress', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', ...metadata },
      spec,
    });

  test('DstOverride is an annotation', () => {
    const { chart } = mesh();
    const target = ingress(chart, { rules: [{ http: { paths: [path('web')] } }] });
    override(chart).attachTo(target);
    expect(target.toJson().metadata.annotations).toEqual({ [MIDDLEWARES]: 'shop-web-l5d-dst-override@kubernetescrd' });
    expect(problemsOf(chart)).toEqual([]);
  });

  test('DstOverride is an annotation, also with cdk8s-plus', () => {
    const { chart } = mesh();
    const service = new kplus.Service(chart, 'web', { metadata: WEB, ports: [{ port: 80 }] });
    const target = new kplus.Ingress(chart, 'ingress', {
      rules: [{ backend: kplus.IngressBackend.fromService(service) }],
    });
    override(chart).attachTo(target);
    expect(target.metadata.toJson().annotations[MIDDLEWARES]).toBe('shop-web-l5d-dst-override@kubernetescrd');
    expect(problemsOf(chart)).toEqual([]);
  });

  test('DstOverride is appended to other Middlewares, once', () => {
    const { chart } = mesh();
    const target = ingress(chart, {}, { annotations: { [MIDDLEWARES]: 'shop-auth@kubernetescrd' } });
    const middleware = override(chart);
    middleware.attachTo(target);
    middleware.attachTo(target);
    expect(target.toJson().metadata.annotations[MIDDLEWARES]).toBe(
      'shop-auth@kubernetescrd,shop-web-l5d-dst-override@kubernetescrd',
    );
  });

  test.each([
    [{ rules: [{ http: { paths: [path('web'), path('api')] } }] }, 'shop/api'],
    [{ defaultBackend: { service: { name: 'api' } }, rules: [{ host: 'a' }] }, 'shop/api'],
  ])('DstOverride refuses another backend: %j', (spec, services) => {
    const { chart } = mesh();
    override(chart).attachTo(ingress(chart, spec));
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'middleware-refused', parameters: { ingress: 'Ingress shop/web', service: 'shop/web', services } },
    ]);
  });

  test('DstOverride refuses another namespace', () => {
    const { chart } = mesh();
    override(chart).attachTo(ingress(chart, { rules: [{ http: { paths: [path('web')] } }] }, { namespace: 'other' }));
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'middleware-refused', parameters: { services: 'other/web' } },
    ]);
  });

  test('DstOverride refuses other kinds of objects', () => {
    const { chart } = mesh();
    override(chart).attachTo(new kplus.ConfigMap(chart, 'config'));
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'middleware-refused', parameters: { call: 'attachTo()', controller: 'Traefik' } },
    ]);
  });
});

describe('on an IngressRoute,', () => {
  const route = (services: object[], more: object = {}) => ({ kind: 'Rule', match: 'Host(`a`)', services, ...more });
  const ingressRoute = (scope: Construct, routes: object[], namespace = 'shop') =>
    new ApiObject(scope, 'route', {
      apiVersion: 'traefik.io/v1alpha1',
      kind: 'IngressRoute',
      metadata: { name: 'web', namespace },
      spec: { routes },
    });
  const attached = { name: 'web-l5d-dst-override', namespace: 'shop' };

  test('DstOverride is on the routes that lead to the service', () => {
    const { chart } = mesh();
    const target = ingressRoute(chart, [
      route([{ name: 'web', port: 80 }]),
      route([{ name: 'api', port: 80 }]),
      route([{ name: 'web', namespace: 'shop', port: 80 }], { middlewares: [{ name: 'auth' }] }),
      route([
        { name: 'web', port: 80 },
        { name: 'api', port: 80 },
      ]),
      route([{ name: 'web', namespace: 'other', port: 80 }]),
    ]);
    override(chart).attachTo(target);
    expect(target.toJson().spec.routes.map(({ middlewares }: { middlewares?: object[] }) => middlewares)).toEqual([
      [attached],
      undefined,
      [{ name: 'auth' }, attached],
      undefined,
      undefined,
    ]);
    expect(problemsOf(chart)).toEqual([]);
  });

  test('DstOverride refuses an IngressRoute without a route to the service', () => {
    const { chart } = mesh();
    override(chart).attachTo(ingressRoute(chart, [route([{ name: 'api', port: 80 }]), { match: 'x' }]));
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'middleware-refused', parameters: { service: 'shop/web' } }]);
  });

  test('DstOverride refuses another namespace', () => {
    const { chart } = mesh();
    override(chart).attachTo(ingressRoute(chart, [route([{ name: 'web', namespace: 'shop', port: 80 }])], 'edge'));
    expect(ruleFindingsIn(chart)).toMatchObject([
      {
        code: 'middleware-refused',
        parameters: { ingressRoute: 'IngressRoute edge/web', middleware: 'shop/web-l5d-dst-override' },
      },
    ]);
  });
});

describe('DstOverrideRemoval', () => {
  test('removes the header', () => {
    const { chart } = mesh();
    expect(new DstOverrideRemoval(chart, 'removal', { namespace: 'traefik' }).reference).toBe(
      'traefik-l5d-dst-override-removal@kubernetescrd',
    );
    expect(plainObjects(chart)[0]).toEqual({
      apiVersion: 'traefik.io/v1alpha1',
      kind: 'Middleware',
      metadata: { name: 'l5d-dst-override-removal', namespace: 'traefik' },
      spec: { headers: { customRequestHeaders: { 'l5d-dst-override': '' } } },
    });
  });

  test.each([
    [{ namespace: 'Traefik' }, 'namespace is "Traefik"'],
    [{ namespace: 'traefik', name: 'a_b' }, 'name is "a_b"'],
  ])('refuses %j', (props, what) => {
    const { chart } = mesh();
    new DstOverrideRemoval(chart, 'removal', props);
    expect(problemsOf(chart)).toEqual([expect.stringContaining(what)]);
  });
});
