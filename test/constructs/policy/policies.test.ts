import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Clients } from '#lib/constructs/policy/clients';
import { type WorkloadGroup, Workloads } from '#lib/constructs/policy/workloads';
import { Cluster } from '#lib/gitops/tree/cluster';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { ruleFindingsIn } from '../../support/findings';
import { synthCluster } from '../../support/synth-cluster';
import { mesh, problemsOf, STABLE } from '../meshing/fixture';
import { deployment, found, policiesIn, refusedValue, service, serviceAccount, shop } from './fixture';

const PROBE = { livenessProbe: { httpGet: { path: '/health?full=1', port: 'http' } } };
type AllowOptions = Parameters<Meshing['allow']>[1];

/** Returns the policies of `allow` for a Deployment `api`; expects no findings. */
function policiesOf(options: AllowOptions, of: Parameters<typeof deployment>[2] = {}, release?: typeof STABLE) {
  const { chart, meshing } = shop(release);
  meshing.allow(deployment(chart, 'api', of), options);
  expect(problemsOf(chart)).toEqual([]);
  return policiesIn(chart);
}

/** Returns the findings of `allow` for a target. Default: a Deployment `api`. */
function refused(options: Partial<AllowOptions>, target = (chart: Chart): ApiObject => deployment(chart, 'api')) {
  const { chart, meshing } = shop();
  meshing.allow(target(chart), { from: [Clients.mesh()], ...options });
  return ruleFindingsIn(chart);
}

describe('allow', () => {
  test('creates a Server, and authorizes the accounts of its clients', () => {
    const { chart, meshing } = shop();
    deployment(chart, 'api');
    meshing.allow(service(chart, 'api'), { from: [deployment(chart, 'web')] });
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    expect(Object.keys(policies)).toEqual([
      'MeshTLSAuthentication api-http',
      'AuthorizationPolicy api-http',
      'Server api-http',
    ]);
    expect(policies['Server api-http']).toEqual({
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'Server',
      metadata: { name: 'api-http', namespace: 'shop' },
      spec: { podSelector: { matchLabels: { app: 'api' } }, port: 8080 },
    });
    expect(policies['MeshTLSAuthentication api-http']?.spec).toEqual({
      identityRefs: [{ kind: 'ServiceAccount', namespace: 'shop', name: 'web' }],
    });
    expect(policies['AuthorizationPolicy api-http']?.spec).toEqual({
      targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: 'api-http' },
      requiredAuthenticationRefs: [{ group: 'policy.linkerd.io', kind: 'MeshTLSAuthentication', name: 'api-http' }],
    });
  });

  test('accepts objects of cdk8s-plus', () => {
    const { chart, meshing } = shop();
    const api = new kplus.Deployment(chart, 'api', { containers: [{ image: 'api', ports: [{ number: 8080 }] }] });
    const web = new kplus.Deployment(chart, 'web', {
      containers: [{ image: 'web' }],
      serviceAccount: new kplus.ServiceAccount(chart, 'web-account', { metadata: { name: 'web' } }),
    });
    const account = new kplus.ServiceAccount(chart, 'jobs', { metadata: { name: 'jobs' } });
    meshing.allow(api.exposeViaService({ ports: [{ port: 80, targetPort: 8080 }] }), { from: [web, account] });
    expect(problemsOf(chart)).toEqual([]);
    const policies = Object.values(policiesIn(chart));
    expect(policies.find(({ kind }) => kind === 'Server')?.spec).toMatchObject({ port: 8080 });
    expect(policies.find(({ kind }) => kind === 'MeshTLSAuthentication')?.spec).toEqual({
      identityRefs: [
        { kind: 'ServiceAccount', namespace: 'shop', name: 'jobs' },
        { kind: 'ServiceAccount', namespace: 'shop', name: 'web' },
      ],
    });
  });

  test('creates one Server in several calls for the same pods, in any order', () => {
    const made = [false, true].map((isTurned) => {
      const { chart, meshing } = shop();
      const api = deployment(chart, 'api');
      const web = deployment(chart, 'web');
      const calls = [
        () =>
          meshing.allow(service(chart, 'api', { ports: [{ name: 'web', port: 80, targetPort: 8080 }] }), {
            from: [web],
          }),
        () => meshing.allow(api, { from: [Clients.mesh()] }),
      ];
      for (const call of isTurned ? calls.toReversed() : calls) call();
      return policiesIn(chart);
    });
    expect(made[0]).toEqual(made[1]);
    expect(Object.keys(made[0] ?? {}).filter((name) => name.startsWith('Server'))).toEqual(['Server api-http']);
  });

  test('authorizes clients by account, namespace, mesh, another trust domain and address', () => {
    const { chart, meshing } = shop();
    const jobs = new ApiObject(chart, 'jobs', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'jobs' } });
    meshing.allow(deployment(chart, 'api'), {
      from: [
        serviceAccount(chart, 'cron', 'jobs'),
        jobs,
        Clients.serviceAccount({ namespace: 'jobs', name: 'cron' }),
        Clients.elsewhere({ trustDomain: 'west.example.com', namespace: 'shop' }),
        Clients.elsewhere({ trustDomain: 'a.b', controlPlaneNamespace: 'mesh', namespace: 'x', serviceAccount: 'y' }),
        Clients.networks('10.0.0.0/8', { cidr: 'fd00::/8', except: ['fd00:1::/32'] }),
      ],
    });
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    expect(policies['MeshTLSAuthentication api-http']?.spec).toEqual({
      identityRefs: [
        { kind: 'ServiceAccount', namespace: 'jobs', name: 'cron' },
        { kind: 'Namespace', name: 'jobs' },
      ],
    });
    expect(policies['MeshTLSAuthentication api-http-identities']?.spec).toEqual({
      identities: ['*.shop.serviceaccount.identity.linkerd.west.example.com', 'y.x.serviceaccount.identity.mesh.a.b'],
    });
    expect(policies['NetworkAuthentication api-http-networks']?.spec).toEqual({
      networks: [{ cidr: '10.0.0.0/8' }, { cidr: 'fd00::/8', except: ['fd00:1::/32'] }],
    });
  });

  test('writes v1beta1 Servers for 2.14', () => {
    expect(policiesOf({ from: [Clients.mesh()] }, {}, STABLE)['Server api-http']?.apiVersion).toBe(
      'policy.linkerd.io/v1beta1',
    );
  });

  test('keeps opaque ports opaque in its Server', () => {
    const { chart, meshing } = shop();
    const ports = [{ containerPort: 5432 }, { containerPort: 7000, name: 'gossip' }, { containerPort: 8080 }];
    const db = deployment(chart, 'db', { container: { ports } });
    const annotated = deployment(chart, 'gossip', {
      container: { ports },
      annotations: { 'config.linkerd.io/opaque-ports': '6999-7001' },
    });
    for (const target of [db, annotated]) meshing.allow(target, { from: [Clients.mesh()] });
    const protocols = Object.values(policiesIn(chart))
      .filter(({ kind }) => kind === 'Server')
      .map(({ metadata, spec }) => [metadata.name, (spec as { proxyProtocol?: string }).proxyProtocol]);
    expect(Object.fromEntries(protocols)).toEqual({
      'db-5432': 'opaque',
      'db-gossip': undefined,
      'db-8080': undefined,
      'gossip-5432': undefined,
      'gossip-gossip': 'opaque',
      'gossip-8080': undefined,
    });
  });

  test('keeps opaque ports of pods from charts opaque, also by name', () => {
    const { chart, meshing } = shop();
    const opaque = { 'config.linkerd.io/opaque-ports': '7000,7001' };
    const at = (containerPort: number) => ({ ports: [{ name: 'raft', containerPort }] });
    deployment(chart, 'blue', { labels: { of: 'store' }, annotations: opaque, container: at(7000) });
    deployment(chart, 'green', { labels: { of: 'store' }, annotations: opaque, container: at(7001) });
    const ports = (name: string, targetPort: number | string) => ({ ports: [{ name, port: 1, targetPort }] });
    for (const target of [
      service(chart, 'store', { selector: { of: 'store' }, ...ports('raft', 'raft') }),
      service(chart, 'db', ports('sql', 5432)),
      service(chart, 'site', ports('http', 8080)),
    ]) {
      meshing.allow(target, { from: [Clients.mesh()] });
    }
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    expect(policies['Server store-raft']?.spec).toMatchObject({ port: 'raft', proxyProtocol: 'opaque' });
    expect(policies['Server db-sql']?.spec).toMatchObject({ port: 5432, proxyProtocol: 'opaque' });
    expect(policies['Server site-http']?.spec).not.toHaveProperty('proxyProtocol');
  });

  test('creates a Server for each of two containers with the same name of a port', () => {
    const ports = [8080, 9090].map((containerPort) => ({ name: 'http', containerPort }));
    const policies = policiesOf({ from: [Clients.mesh()] }, { container: { ports } });
    expect(policies['Server api-http-8080']?.spec).toMatchObject({ port: 8080 });
    expect(policies['Server api-http-9090']?.spec).toMatchObject({ port: 9090 });
  });

  test('audits in a namespace with the default policy audit', () => {
    const { chart, meshing } = mesh();
    meshing.namespace('shop', { defaultInboundPolicy: 'audit' });
    meshing.allow(deployment(chart, 'api'), { from: [] });
    expect(policiesIn(chart)['Server api-http']?.spec).toMatchObject({ accessPolicy: 'audit' });
  });

  test('refers to a port by name if its number differs between pods', () => {
    const { chart, meshing } = shop();
    const labels = { tier: 'front' };
    deployment(chart, 'old', { labels });
    deployment(chart, 'new', { labels, container: { ports: [{ name: 'http', containerPort: 9000 }] } });
    meshing.allow(service(chart, 'front', { selector: labels }), { from: [Clients.mesh()] });
    expect(problemsOf(chart)).toEqual([]);
    expect(policiesIn(chart)['Server front-http']?.spec).toMatchObject({ port: 'http' });
  });

  test('accepts a Service of pods that the cluster does not declare', () => {
    const { chart, meshing } = shop();
    meshing.allow(service(chart, 'redis', { ports: [{ name: 'tcp', port: 6380 }] }), { from: [Clients.mesh()] });
    expect(problemsOf(chart)).toEqual([]);
    expect(policiesIn(chart)['Server redis-tcp']?.spec).toMatchObject({ port: 6380 });
  });

  test('creates Servers only for the ports of the option ports', () => {
    const { chart, meshing } = shop();
    const ports = [
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ];
    meshing.allow(deployment(chart, 'api', { container: { ports } }), { from: [Clients.mesh()], ports: ['metrics'] });
    expect(Object.keys(policiesIn(chart)).filter((name) => name.startsWith('Server'))).toEqual(['Server api-metrics']);
    const other = shop();
    expect(new Chart(other.chart, 'x').node.root.node.findAll().map(({ node }) => node.id)).not.toContain(
      'linkerd-policies',
    );
  });
});

describe('requests of allow', () => {
  test('have authentications with unique names', () => {
    const { chart, meshing } = shop();
    const api = deployment(chart, 'api');
    const web = deployment(chart, 'web');
    meshing.allow(api, { from: [Clients.mesh(), Clients.networks('10.0.0.0/8')] });
    meshing.allow(api, { from: [web], requests: [{ path: '/identities' }] });
    meshing.allow(api, { from: [deployment(chart, 'job')], requests: [{ path: '/networks' }] });
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    expect(policies['MeshTLSAuthentication api-http-identities']?.spec).toEqual({ identities: ['*'] });
    expect(policies['MeshTLSAuthentication api-http-identities-path']?.spec).toMatchObject({
      identityRefs: [{ name: 'web' }],
    });
    expect(policies['MeshTLSAuthentication api-http-networks-path']?.spec).toMatchObject({
      identityRefs: [{ name: 'job' }],
    });
  });

  test('at a port with different numbers leave a route for probes of all pods', () => {
    const { chart, meshing } = shop();
    deployment(chart, 'blue', { labels: { of: 'api' }, container: PROBE });
    const ports = [{ name: 'http', containerPort: 9090 }];
    deployment(chart, 'green', { labels: { of: 'api' }, container: { ...PROBE, ports } });
    meshing.allow(service(chart, 'api', { selector: { of: 'api' } }), {
      from: [Clients.mesh()],
      requests: [{ path: '/a' }],
    });
    const policies = policiesIn(chart);
    expect(policies['Server api-http']?.spec).toMatchObject({ port: 'http' });
    expect(policies['HTTPRoute api-http-get-health']?.spec).toMatchObject({
      rules: [{ matches: [{ method: 'GET', path: { type: 'Exact', value: '/health' } }] }],
    });
  });

  // linkerd2#7050: Linkerd adds no route for probes to a Server that has routes.
  test('leave a route for probes of pods (linkerd2#7050)', () => {
    const requests = [{ method: 'GET' as const, pathPrefix: '/items' }];
    const policies = policiesOf({ from: [Clients.mesh()], requests }, { container: PROBE });
    // linkerd2#10877: Linkerd compares the path of a probe without its query.
    expect(policies['HTTPRoute api-http-get-health']?.spec).toMatchObject({
      rules: [{ matches: [{ method: 'GET', path: { type: 'Exact', value: '/health' } }] }],
    });
    expect(policies['NetworkAuthentication api-http-get-health-networks']?.spec).toEqual({
      networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }],
    });
  });

  test('are refused for a path with a query, which no route matches (linkerd2#10877)', () => {
    expect(refused({ requests: [{ path: '/live?full=1' }] })).toMatchObject([
      refusedValue('requests[0].path', '"/live?full=1"'),
    ]);
  });

  test('leave open the path to which a probe is redirected (linkerd2#11590)', () => {
    const policies = policiesOf({ from: [Clients.mesh()], probePaths: ['/health/'] }, { container: PROBE });
    expect(policies['HTTPRoute api-http-get-health']?.spec).toMatchObject({
      rules: [{ matches: [{ path: { value: '/health' } }, { path: { value: '/health/' } }] }],
    });
    expect(policies['HTTPRoute api-http-others']?.spec).toMatchObject({
      rules: [{ matches: [{ path: { type: 'PathPrefix', value: '/' } }] }],
    });
  });

  test.each([
    [{ path: 'items' }, refusedValue('requests[0].path', '"items"')],
    [{ path: '/a', pathPrefix: '/b' }, refusedValue('requests[0]', '{"path":"/a","pathPrefix":"/b"}')],
    [{ method: 'get' as 'GET' }, refusedValue('requests[0].method', '"get"')],
    [{ path: `/${'x'.repeat(1024)}` }, found('policy-value-refused', { field: 'requests[0].path', length: 1025 })],
    [null as never, refusedValue('requests[0]', 'null')],
    [{ prefix: '/items' } as never, refusedValue('requests[0]', '{"prefix":"/items"}')],
  ])('are refused for %j', (request, problem) => expect(refused({ requests: [request] })).toMatchObject([problem]));

  test('are refused for a port without HTTP', () => {
    expect(refused({ requests: [{ path: '/a' }], protocol: 'opaque' })).toMatchObject([
      { code: 'policy-without-http', parameters: { server: 'shop/api-http', protocol: 'opaque' } },
    ]);
  });

  test('share one route, even if there are a hundred', () => {
    const requests = Array.from({ length: 100 }, (_, index) => ({ path: `/items/${index}` }));
    const policies = policiesOf({ from: [Clients.mesh()], requests });
    const routes = Object.keys(policies).filter((name) => name.startsWith('HTTPRoute'));
    expect(routes).toEqual(['HTTPRoute api-http-items-0', 'HTTPRoute api-http-others']);
  });
});

describe('the check of allow', () => {
  const ofService = (spec: object) =>
    refused({}, (chart) => {
      deployment(chart, 'api');
      return service(chart, 'api', spec);
    });
  test.each([
    [
      'an ExternalName Service',
      { type: 'ExternalName', externalName: 'example.com', selector: undefined },
      { code: 'policy-target-refused', parameters: { target: 'Service shop/api' } },
    ],
    ['a Service without a selector', { selector: undefined }, { code: 'policy-target-refused' }],
    ['a Service without ports', { ports: [] }, { code: 'policy-target-refused' }],
    ['a Service of UDP', { ports: [{ port: 53, protocol: 'UDP' }] }, { code: 'policy-target-refused' }],
    [
      'a port that no container declares',
      { ports: [{ name: 'web', port: 80, targetPort: 81 }] },
      {
        code: 'policy-port-unknown',
        parameters: { port: 'web', service: 'Service shop/api', target: '81', workloads: 'Deployment shop/api' },
      },
    ],
    [
      'a name that no container has',
      { ports: [{ name: 'web', port: 80, targetPort: 'htp' }] },
      { code: 'policy-port-unknown', parameters: { target: 'htp' } },
    ],
  ])('refuses %s', (_, spec, problem) => expect(ofService(spec)).toMatchObject([problem]));

  test('accepts a headless Service', () => expect(ofService({ clusterIP: 'None' })).toEqual([]));

  test.each([
    [['htpp'], '"htpp"', 'http'],
    [[80], '80', undefined],
  ])('refuses the ports %j', (ports, port, similar) => {
    const parameters = { port, target: 'Deployment shop/api', known: 'http', similar };
    expect(refused({ ports: ports as string[] })).toMatchObject([{ code: 'policy-port-unknown', parameters }]);
  });

  test.each([
    [[Clients.networks('10.0.0.0')], found('address-refused', { field: 'from[0]: network 0[0]', value: '10.0.0.0' })],
    [
      [Clients.networks()],
      {
        code: 'policy-client-unknown',
        parameters: { field: 'from[0]', client: 'Clients.networks() without a network' },
      },
    ],
    [[Clients.namespace('Jobs')], found('name-invalid', { field: 'from[0]', value: '"Jobs"' })],
    [
      [Clients.serviceAccount({ namespace: '', name: 'x' })],
      found('name-invalid', { field: 'The namespace of from[0]', value: '""' }),
    ],
    [
      [Clients.elsewhere({ trustDomain: 'West', namespace: 'a' })],
      found('name-invalid', { field: 'trustDomain of from[0]', value: '"West"' }),
    ],
    [['web' as never], { code: 'policy-client-unknown', parameters: { field: 'from[0]', client: '"web"' } }],
    ['web' as never, { code: 'policy-value-refused', parameters: { field: 'from', value: '"web"' } }],
    [[null as never], { code: 'policy-client-unknown', parameters: { field: 'from[0]', client: '{}' } }],
  ])('refuses the clients %j', (from, problem) => expect(refused({ from })).toMatchObject([problem]));

  test('refuses a client without pods', () => {
    const { chart, meshing } = shop();
    const config = new ApiObject(chart, 'config', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
    meshing.allow(deployment(chart, 'api'), { from: [config] });
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'policy-client-unknown', parameters: { field: 'from[0]', client: 'ConfigMap shop/c' } },
    ]);
  });

  test('refuses constructs of cdk8s-plus that emit no object', () => {
    const { chart, meshing } = shop();
    const api = deployment(chart, 'api');
    const imported = kplus.ServiceAccount.fromServiceAccountName(chart, 'imported', 'web');
    meshing.allow(api, { from: [imported as never] });
    meshing.allow(kplus.Pods.all(chart, 'pods') as never, { from: [] });
    const missing = ruleFindingsIn(chart).map(({ code, parameters }) => [code, parameters?.path]);
    expect(missing.toSorted()).toEqual([
      ['policy-target-refused', 'shop/imported'],
      ['policy-target-refused', 'shop/pods'],
    ]);
  });

  test('refuses the mode audit with 2.14, and unknown modes', () => {
    for (const [mode, problem] of [
      ['audit', { code: 'policy-unsupported', parameters: { version: 'stable-2.14.10' } }],
      ['Deny', { code: 'policy-value-refused', parameters: { mode: '"Deny"', known: "'audit' or 'deny'" } }],
    ] as const) {
      const { chart, meshing } = shop(STABLE);
      meshing.allow(deployment(chart, 'api'), { from: [], mode: mode as 'audit' });
      expect(ruleFindingsIn(chart)).toMatchObject([problem]);
    }
  });

  test('refuses contradictory options of one Server', () => {
    const { chart, meshing } = shop();
    const api = deployment(chart, 'api');
    meshing.allow(api, { from: [], mode: 'audit', protocol: 'HTTP/1' });
    meshing.allow(api, { from: [], mode: 'deny', protocol: 'HTTP/2' });
    const contested = (field: string, values: string) => ({
      code: 'policy-contested',
      parameters: { server: 'shop/api-http', field, values },
    });
    expect(ruleFindingsIn(chart)).toMatchObject([
      contested('protocol', '"HTTP/1" and "HTTP/2"'),
      contested('mode', '"audit" and "deny"'),
    ]);
  });

  test('refuses empty lists, which could mean all or none', () => {
    const refusedList = (field: string) => ({ code: 'policy-value-refused', parameters: { field, value: '[]' } });
    expect(refused({ requests: [] })).toMatchObject([refusedList('requests')]);
    expect(refused({ requests: { path: '/a' } as never })).toHaveLength(1);
    expect(refused({ ports: [] })).toMatchObject([refusedList('ports')]);
    expect(refused({ ports: 'http' as never })).toHaveLength(1);
  });

  test('refuses two targets with the same name and different pods', () => {
    const { chart, meshing } = shop();
    meshing.allow(deployment(chart, 'api'), { from: [] });
    deployment(chart, 'web');
    meshing.allow(service(chart, 'api', { selector: { app: 'web' } }), { from: [] });
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'policy-name-taken', parameters: { object: 'Server shop/api-http' } },
    ]);
  });

  test('refuses a call after the constructs were prepared', () => {
    const { chart, meshing } = shop();
    const api = deployment(chart, 'api');
    meshing.allow(api, { from: [] });
    prepareTree(chart, 'cdk8s');
    meshing.allow(api, { from: [Clients.mesh()] });
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'policy-too-late' }]);
  });
});

describe('workloads that synth does not read', () => {
  const SERVICE = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'api', namespace: 'team' },
    spec: { selector: { app: 'api' }, ports: [{ name: 'http', port: 80, targetPort: 'web' }, { port: 9090 }] },
  };

  test.each<[string, WorkloadGroup, object]>([
    [
      'labels and numbers of ports',
      Workloads.select({ namespace: 'team', labels: { app: 'api', tier: 'x' }, ports: [8080] }),
      { 'Server api-8080': { podSelector: { matchLabels: { app: 'api', tier: 'x' } }, port: 8080 } },
    ],
    [
      'labels, a name and names of ports',
      Workloads.select({ namespace: 'team', labels: { app: 'api' }, ports: ['http', 'grpc'], name: 'orders' }),
      { 'Server orders-http': { port: 'http' }, 'Server orders-grpc': { port: 'grpc' } },
    ],
    [
      'a label that is not a valid name of an object',
      Workloads.select({ namespace: 'team', labels: { 'app.kubernetes.io/name': 'My_API' }, ports: [1] }),
      { 'Server my-api-1': { port: 1 } },
    ],
    [
      'a Service',
      Workloads.fromService(SERVICE),
      { 'Server api-http': { port: 'web' }, 'Server api-9090': { port: 9090 } },
    ],
  ])('can be selected by %s', (_by, target, servers) => {
    const { chart, meshing } = shop();
    meshing.allow(target, { from: [Clients.namespace('web')] });
    meshing.limitRequests(target, { total: 10 });
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    for (const [name, spec] of Object.entries(servers)) {
      expect(policies[name]).toMatchObject({ metadata: { namespace: 'team' }, spec });
    }
    expect(Object.keys(policies).filter((name) => name.startsWith('Server '))).toHaveLength(
      Object.keys(servers).length,
    );
  });

  test('may be in a namespace that is not declared', () => {
    const cluster = new Cluster(new App(), 'home', {});
    const { controlPlane } = new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false });
    const target = Workloads.select({ namespace: 'team', labels: { app: 'api' }, ports: [8080] });
    new Meshing(cluster, 'meshing', { controlPlane }).allow(target, { from: [Clients.mesh()] });
    const { files, findings } = synthCluster(cluster);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(findings.map(({ problem }) => problem.code)).not.toContain('policy-without-pods');
    expect([...files.keys()]).toContain('team/server.api-8080.yaml');
  });

  test.each<[string, (meshing: Meshing, target: never) => void]>([
    ['inject', (meshing, target) => meshing.inject(target)],
    ['injectIngress', (meshing, target) => meshing.injectIngress(target)],
    ['exclude', (meshing, target) => meshing.exclude(target)],
    ['opaquePorts', (meshing, target) => meshing.opaquePorts(target, [3306])],
  ])('are refused as targets of %s', (_, call) => {
    for (const target of ['shop/api', undefined, null, {}]) {
      const { chart, meshing } = shop();
      call(meshing, target as never);
      expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'target-refused' }]);
    }
  });

  test('may be protected at only some of their ports', () => {
    const { chart, meshing } = shop();
    meshing.allow(Workloads.fromService(SERVICE), { from: [], ports: ['http'] });
    expect(Object.keys(policiesIn(chart)).filter((name) => name.startsWith('Server '))).toEqual(['Server api-http']);
  });

  test.each<[unknown, string, object]>([
    ['shop/api', 'reference', { value: '"shop/api"', namespace: 'shop', name: 'api' }],
    ['api', 'reference', { value: '"api"' }],
    [undefined, 'reference', { value: 'undefined' }],
    [null, 'reference', {}],
    [{}, 'reference', {}],
    [['shop/api'], 'reference', {}],
    [{ kind: 'pods' }, 'reference', {}],
    [Workloads.select({} as never), 'workloads', {}],
    [Workloads.select({ namespace: 'team', labels: {}, ports: [1] }), 'workloads', {}],
    [Workloads.select({ namespace: 'team', labels: { app: 'a' }, ports: [] }), 'workloads', {}],
    [Workloads.select({ namespace: 'team', labels: { app: 'a' }, ports: [null as never] }), 'workloads', {}],
    [Workloads.fromService(undefined as never), 'workloads', {}],
    [Workloads.fromService({ ...SERVICE, spec: { ports: [] } } as never), 'workloads', {}],
  ])('are refused if they select nothing: %j', (target, cause, parameters) => {
    const { chart, meshing } = shop();
    meshing.allow(target as WorkloadGroup, { from: [] });
    meshing.limitRequests(target as WorkloadGroup, { total: 1 });
    expect(ruleFindingsIn(chart)).toEqual(
      expect.arrayContaining([expect.objectContaining({ cause, parameters: expect.objectContaining(parameters) })]),
    );
  });
});

describe('defaultDeny', () => {
  test('audits by default, in the namespace and on its Servers', () => {
    const { chart, meshing } = shop();
    meshing.defaultDeny('shop');
    meshing.allow(deployment(chart, 'api'), { from: [] });
    meshing.allow(deployment(chart, 'web'), { from: [], mode: 'deny' });
    expect(problemsOf(chart)).toEqual([]);
    expect(chart.node.findChild('namespace-shop')).toMatchObject({ kind: 'Namespace' });
    const policies = policiesIn(chart);
    expect(policies['Server api-http']?.spec).toMatchObject({ accessPolicy: 'audit' });
    expect(policies['Server web-http']?.spec).not.toHaveProperty('accessPolicy');
  });

  test('admits scrapers and kubelets to the admin ports of proxies', () => {
    const { chart, meshing } = shop();
    meshing.defaultDeny('shop', {
      mode: 'deny',
      scrapers: [Clients.serviceAccount({ namespace: 'monitoring', name: 'prometheus' })],
    });
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    expect(policies['Server linkerd-proxy-admin']?.spec).toMatchObject({ port: 4191, proxyProtocol: 'HTTP/1' });
    expect(policies['MeshTLSAuthentication linkerd-proxy-admin-get-metrics']?.spec).toEqual({
      identityRefs: [{ kind: 'ServiceAccount', namespace: 'monitoring', name: 'prometheus' }],
    });
    expect(policies['HTTPRoute linkerd-proxy-admin-get-live']?.spec).toMatchObject({
      rules: [{ matches: [{ path: { value: '/live' } }, { path: { value: '/ready' } }] }],
    });
  });

  test.each([
    [STABLE, 'audit', { code: 'policy-unsupported', parameters: { version: 'stable-2.14.10' } }],
    [undefined, 'allow', { code: 'policy-value-refused', parameters: { mode: '"allow"' } }],
  ] as const)('of a mesh with %j refuses the mode %s', (release, mode, problem) => {
    const { chart, meshing } = shop(release);
    meshing.defaultDeny('shop', { mode: mode as 'audit' });
    expect(ruleFindingsIn(chart)).toMatchObject([problem]);
  });

  test('refuses two modes for one namespace', () => {
    const { chart, meshing } = shop();
    meshing.defaultDeny('shop');
    meshing.defaultDeny('shop', { mode: 'deny' });
    expect(ruleFindingsIn(chart)).toMatchObject([
      {
        code: 'namespace-metadata-contested',
        parameters: { key: 'config.linkerd.io/default-inbound-policy', value: 'deny' },
      },
    ]);
  });
});
