import { ApiObject, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Clients } from '../../../lib/constructs/policy/clients';
import { mesh, problemsOf, STABLE } from '../meshing/fixture';
import { deployment, policiesIn, service, serviceAccount, shop } from './fixture';

const PROBE = { livenessProbe: { httpGet: { path: '/health?full=1', port: 'http' } } };

describe('allow', () => {
  test('makes a Server, and lets the accounts of its clients in', () => {
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

  test('takes objects of cdk8s-plus', () => {
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

  test('several calls for the same pods have one Server, whichever comes first', () => {
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

  test('knows clients by account, namespace, mesh, another trust domain and address', () => {
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
    const { chart, meshing } = shop(STABLE);
    meshing.allow(deployment(chart, 'api'), { from: [Clients.mesh()] });
    expect(problemsOf(chart)).toEqual([]);
    expect(policiesIn(chart)['Server api-http']?.apiVersion).toBe('policy.linkerd.io/v1beta1');
  });

  test('leaves opaque ports opaque, which a Server supersedes', () => {
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

  test('leaves the opaque ports of pods that a chart brings opaque, and those that are called by name', () => {
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

  test('makes a Server for each of two containers whose ports have one name', () => {
    const { chart, meshing } = shop();
    const ports = [8080, 9090].map((containerPort) => ({ name: 'http', containerPort }));
    meshing.allow(deployment(chart, 'api', { container: { ports } }), { from: [Clients.mesh()] });
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    expect(policies['Server api-http-8080']?.spec).toMatchObject({ port: 8080 });
    expect(policies['Server api-http-9090']?.spec).toMatchObject({ port: 9090 });
  });

  test('audits where the namespace does, whoever has it audited', () => {
    const { chart, meshing } = mesh();
    meshing.namespace('shop', { defaultInboundPolicy: 'audit' });
    meshing.allow(deployment(chart, 'api'), { from: [] });
    expect(policiesIn(chart)['Server api-http']?.spec).toMatchObject({ accessPolicy: 'audit' });
  });

  test('refers to a port by name where pods have different numbers for it', () => {
    const { chart, meshing } = shop();
    const labels = { tier: 'front' };
    deployment(chart, 'old', { labels });
    deployment(chart, 'new', { labels, container: { ports: [{ name: 'http', containerPort: 9000 }] } });
    meshing.allow(service(chart, 'front', { selector: labels }), { from: [Clients.mesh()] });
    expect(problemsOf(chart)).toEqual([]);
    expect(policiesIn(chart)['Server front-http']?.spec).toMatchObject({ port: 'http' });
  });

  test('takes a Service of pods that nobody here knows', () => {
    const { chart, meshing } = shop();
    meshing.allow(service(chart, 'redis', { ports: [{ name: 'tcp', port: 6380 }] }), { from: [Clients.mesh()] });
    expect(problemsOf(chart)).toEqual([]);
    expect(policiesIn(chart)['Server redis-tcp']?.spec).toMatchObject({ port: 6380 });
  });

  test('guards only what it is called for, and nothing without a call', () => {
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

describe('requests', () => {
  test('are named apart from the authentications of others', () => {
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

  test('at a port that has different numbers leave the probes of all pods a route', () => {
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

  // linkerd2#7050: a Server with routes of its own gets none for probes any more.
  test('linkerd2#7050: probes of pods get a route beside those of clients', () => {
    const { chart, meshing } = shop();
    meshing.allow(deployment(chart, 'api', { container: PROBE }), {
      from: [Clients.mesh()],
      requests: [{ method: 'GET', pathPrefix: '/items' }],
    });
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    // linkerd2#10877: of a probe's path, Linkerd compares what stands before the question mark.
    expect(policies['HTTPRoute api-http-get-health']?.spec).toMatchObject({
      rules: [{ matches: [{ method: 'GET', path: { type: 'Exact', value: '/health' } }] }],
    });
    expect(policies['NetworkAuthentication api-http-get-health-networks']?.spec).toEqual({
      networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }],
    });
  });

  test('linkerd2#10877: a path with a query, which no route matches, is a problem', () => {
    const { chart, meshing } = shop();
    meshing.allow(deployment(chart, 'api'), { from: [Clients.mesh()], requests: [{ path: '/live?full=1' }] });
    expect(problemsOf(chart)).toEqual([
      expect.stringContaining('requests[0].path is "/live?full=1". Routes are compared with the path of a request'),
    ]);
  });

  test('linkerd2#11590: a path to which a probe is redirected is opened along with the probe’s', () => {
    const { chart, meshing } = shop();
    meshing.allow(deployment(chart, 'api', { container: PROBE }), { from: [Clients.mesh()], probePaths: ['/health/'] });
    expect(problemsOf(chart)).toEqual([]);
    const policies = policiesIn(chart);
    expect(policies['HTTPRoute api-http-get-health']?.spec).toMatchObject({
      rules: [{ matches: [{ path: { value: '/health' } }, { path: { value: '/health/' } }] }],
    });
    expect(policies['HTTPRoute api-http-others']?.spec).toMatchObject({
      rules: [{ matches: [{ path: { type: 'PathPrefix', value: '/' } }] }],
    });
  });

  test.each([
    [{ path: 'items' }, 'requests[0].path is "items"'],
    [{ path: '/a', pathPrefix: '/b' }, 'requests[0] is {"path":"/a","pathPrefix":"/b"}'],
    [{ method: 'get' as 'GET' }, 'requests[0].method is "get"'],
    [{ path: `/${'x'.repeat(1024)}` }, 'The API server refuses longer ones'],
    [null as never, 'requests[0] is null'],
    [{ prefix: '/items' } as never, 'requests[0] is {"prefix":"/items"}'],
  ])('%j is a problem: %s', (request, problem) => {
    const { chart, meshing } = shop();
    meshing.allow(deployment(chart, 'api'), { from: [Clients.mesh()], requests: [request] });
    expect(problemsOf(chart)).toEqual([expect.stringContaining(problem)]);
  });

  test('of a port without HTTP are a problem', () => {
    const { chart, meshing } = shop();
    const api = deployment(chart, 'api');
    meshing.allow(api, { from: [Clients.mesh()], requests: [{ path: '/a' }], protocol: 'opaque' });
    expect(problemsOf(chart)).toEqual([expect.stringContaining('Server shop/api-http is of protocol opaque')]);
  });

  test('a hundred of them are a few rules of one route', () => {
    const { chart, meshing } = shop();
    const requests = Array.from({ length: 100 }, (_, index) => ({ path: `/items/${index}` }));
    meshing.allow(deployment(chart, 'api'), { from: [Clients.mesh()], requests });
    expect(problemsOf(chart)).toEqual([]);
    const routes = Object.keys(policiesIn(chart)).filter((name) => name.startsWith('HTTPRoute'));
    expect(routes).toEqual(['HTTPRoute api-http-items-0', 'HTTPRoute api-http-others']);
  });
});

describe('what cannot be allowed', () => {
  const refused = (target: (chart: Chart) => ApiObject, options: Partial<Parameters<typeof allow>[1]> = {}) => {
    const { chart, meshing } = shop();
    const allow = meshing.allow.bind(meshing);
    allow(target(chart), { from: [Clients.mesh()], ...options });
    return problemsOf(chart);
  };
  const allow = shop().meshing.allow;

  test.each([
    [
      'an ExternalName Service',
      { type: 'ExternalName', externalName: 'example.com', selector: undefined },
      'another name for a host elsewhere',
    ],
    ['a Service without a selector', { selector: undefined }, 'which selects no pods'],
    ['a Service without ports', { ports: [] }, 'which has no TCP port'],
    ['a Service of UDP', { ports: [{ port: 53, protocol: 'UDP' }] }, 'which has no TCP port'],
    [
      'a port that no container declares',
      { ports: [{ name: 'web', port: 80, targetPort: 81 }] },
      'Port web of Service shop/api leads to port 81, which no container of Deployment shop/api declares',
    ],
    ['a name that no container has', { ports: [{ name: 'web', port: 80, targetPort: 'htp' }] }, 'leads to port htp'],
  ])('%s', (_, spec, problem) => {
    expect(
      refused((chart) => {
        deployment(chart, 'api');
        return service(chart, 'api', spec);
      }),
    ).toEqual([expect.stringContaining(problem)]);
  });

  test('a headless Service can be', () => {
    expect(
      refused((chart) => {
        deployment(chart, 'api');
        return service(chart, 'api', { clusterIP: 'None' });
      }),
    ).toEqual([]);
  });

  test.each([
    [['htpp'], 'ports has "htpp", but Deployment shop/api has http'],
    [[80], 'ports has 80, but Deployment shop/api has http'],
  ])('ports %j', (ports, problem) => {
    expect(refused((chart) => deployment(chart, 'api'), { ports })).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    [[Clients.networks('10.0.0.0')], 'from[0]: network 0[0] is "10.0.0.0"'],
    [[Clients.networks()], 'from[0] is Clients.networks() without a network'],
    [[Clients.namespace('Jobs')], 'from[0] is "Jobs"'],
    [[Clients.serviceAccount({ namespace: '', name: 'x' })], 'The namespace of from[0] is ""'],
    [[Clients.elsewhere({ trustDomain: 'West', namespace: 'a' })], 'trustDomain of from[0] is "West"'],
    [['web' as never], 'from[0] is "web"'],
    ['web' as never, 'from is "web", not a list'],
    [[null as never], 'from[0] is {}'],
  ])('clients %j', (from, problem) => {
    expect(refused((chart) => deployment(chart, 'api'), { from })).toEqual([expect.stringContaining(problem)]);
  });

  test('a client that has no pods', () => {
    const { chart, meshing } = shop();
    const config = new ApiObject(chart, 'config', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
    meshing.allow(deployment(chart, 'api'), { from: [config] });
    expect(problemsOf(chart)).toEqual([expect.stringContaining('from[0] is ConfigMap shop/c')]);
  });

  test('what cdk8s-plus imports or selects, and has no object', () => {
    const { chart, meshing } = shop();
    const api = deployment(chart, 'api');
    const imported = kplus.ServiceAccount.fromServiceAccountName(chart, 'imported', 'web');
    meshing.allow(api, { from: [imported as never] });
    meshing.allow(kplus.Pods.all(chart, 'pods') as never, { from: [] });
    expect(problemsOf(chart).toSorted()).toEqual([
      expect.stringContaining('The target of a policy is the construct shop/pods, which has no object'),
      expect.stringContaining('from[0] is the construct shop/imported, which has no object'),
    ]);
  });

  test('audit on 2.14, and modes that there are not', () => {
    for (const [mode, problem] of [
      ['audit', 'mode is "audit", with stable-2.14.10'],
      ['Deny', 'mode is "Deny"'],
    ] as const) {
      const { chart, meshing } = shop(STABLE);
      meshing.allow(deployment(chart, 'api'), { from: [], mode: mode as 'audit' });
      expect(problemsOf(chart)).toEqual([expect.stringContaining(problem)]);
    }
  });

  test('two things of one Server', () => {
    const { chart, meshing } = shop();
    const api = deployment(chart, 'api');
    meshing.allow(api, { from: [], mode: 'audit', protocol: 'HTTP/1' });
    meshing.allow(api, { from: [], mode: 'deny', protocol: 'HTTP/2' });
    expect(problemsOf(chart)).toEqual([
      expect.stringContaining('Server shop/api-http is to have protocol "HTTP/1" and "HTTP/2"'),
      expect.stringContaining('Server shop/api-http is to have mode "audit" and "deny"'),
    ]);
  });

  test('lists that could mean all as well as none', () => {
    expect(refused((chart) => deployment(chart, 'api'), { requests: [] })).toEqual([
      expect.stringContaining('requests is []. It could mean all requests as well as none'),
    ]);
    expect(refused((chart) => deployment(chart, 'api'), { requests: { path: '/a' } as never })).toHaveLength(1);
    expect(refused((chart) => deployment(chart, 'api'), { ports: [] })).toEqual([
      expect.stringContaining('ports is []. It could mean all ports as well as none'),
    ]);
    expect(refused((chart) => deployment(chart, 'api'), { ports: 'http' as never })).toHaveLength(1);
  });

  test('targets of one name with other pods', () => {
    const { chart, meshing } = shop();
    meshing.allow(deployment(chart, 'api'), { from: [] });
    deployment(chart, 'web');
    meshing.allow(service(chart, 'api', { selector: { app: 'web' } }), { from: [] });
    expect(problemsOf(chart)).toEqual([
      expect.stringContaining('Two policies would be called Server shop/api-http, for different pods'),
    ]);
  });

  test('after the tree was walked', () => {
    const { chart, meshing } = shop();
    const api = deployment(chart, 'api');
    meshing.allow(api, { from: [] });
    chart.node.findAll();
    meshing.allow(api, { from: [Clients.mesh()] });
    expect(problemsOf(chart)).toEqual([expect.stringContaining('after the policies were made')]);
  });
});

describe('defaultDeny', () => {
  test('begins with an audit, in the namespace and on its Servers', () => {
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

  test('lets scrapers read the metrics of proxies, and kubelets probe them', () => {
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
    [STABLE, 'audit', 'mode is "audit", with stable-2.14.10'],
    [undefined, 'allow', 'mode is "allow"'],
  ] as const)('with %j refuses %s', (release, mode, problem) => {
    const { chart, meshing } = shop(release);
    meshing.defaultDeny('shop', { mode: mode as 'audit' });
    expect(problemsOf(chart)).toEqual([expect.stringContaining(problem)]);
  });

  test('of two modes is a problem', () => {
    const { chart, meshing } = shop();
    meshing.defaultDeny('shop');
    meshing.defaultDeny('shop', { mode: 'deny' });
    expect(problemsOf(chart)).toEqual([
      expect.stringContaining('Namespace shop is to have config.linkerd.io/default-inbound-policy: "deny"'),
    ]);
  });
});
