import { ApiObject } from 'cdk8s';
import { Clients } from '#lib/constructs/policy/clients';
import type { RateLimitOptions } from '#lib/constructs/policy/rate-limit';
import { ruleFindingsIn } from '../../support/findings';
import { EDGE, mesh, problemsOf, STABLE } from '../meshing/fixture';
import { deployment, found, policiesIn, refusedValue, service, shop } from './fixture';

const LIMIT = 'HTTPLocalRateLimitPolicy api-http';

test('a rate limit limits requests, with other limits for some clients', () => {
  const { chart, meshing } = shop();
  const web = deployment(chart, 'web');
  meshing.limitRequests(deployment(chart, 'api'), {
    total: 100,
    perClient: 20,
    overrides: [{ clients: [web], perClient: 50 }],
  });
  expect(problemsOf(chart)).toEqual([]);
  expect(policiesIn(chart)[LIMIT]?.spec).toEqual({
    targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: 'api-http' },
    total: { requestsPerSecond: 100 },
    identity: { requestsPerSecond: 20 },
    overrides: [{ requestsPerSecond: 50, clientRefs: [{ kind: 'ServiceAccount', namespace: 'shop', name: 'web' }] }],
  });
});

describe('a rate limit keeps the access policy of its port', () => {
  const serverOf = (mode: 'audit' | 'deny' | undefined, policy?: string) => {
    const values = policy === undefined ? {} : { effectiveValues: { proxy: { defaultInboundPolicy: policy } } };
    const { chart, meshing } = shop({ ...EDGE, ...values });
    if (mode !== undefined) meshing.defaultDeny('shop', { mode });
    meshing.limitRequests(deployment(chart, 'api'), { total: 1 });
    return policiesIn(chart)['Server api-http']?.spec as { accessPolicy?: string };
  };

  test.each([
    [undefined, undefined, 'all-unauthenticated'],
    [undefined, 'cluster-authenticated', 'cluster-authenticated'],
    ['audit', 'cluster-authenticated', 'audit'],
    ['deny', undefined, 'deny'],
  ] as const)('in a namespace with mode %s, in a mesh with the default policy %s: %s', (mode, policy, accessPolicy) => {
    expect(serverOf(mode, policy)).toMatchObject({ accessPolicy });
  });
});

test('a rate limit keeps the access policy that an annotation of the namespace or of pods sets', () => {
  const { chart, meshing } = mesh();
  meshing.namespace('shop', { defaultInboundPolicy: 'deny' });
  const web = deployment(chart, 'web');
  meshing.inject(web, { defaultInboundPolicy: 'all-authenticated' });
  meshing.limitRequests(deployment(chart, 'api'), { total: 1 });
  meshing.limitRequests(web, { total: 1 });
  meshing.limitRequests(service(chart, 'chart-made'), { total: 1 });
  expect(problemsOf(chart)).toEqual([]);
  const policies = policiesIn(chart);
  expect(policies['Server api-http']?.spec).toMatchObject({ accessPolicy: 'deny' });
  expect(policies['Server web-http']?.spec).toMatchObject({ accessPolicy: 'all-authenticated' });
  expect(policies['Server chart-made-http']?.spec).toMatchObject({ accessPolicy: 'deny' });
});

describe('a rate limit on a port that requires an identity', () => {
  const required = (ports: string) => ({ 'config.linkerd.io/proxy-require-identity-inbound-ports': ports });

  test.each([
    ['all-unauthenticated', 'all-authenticated'],
    ['cluster-unauthenticated', 'cluster-authenticated'],
    ['cluster-authenticated', 'cluster-authenticated'],
    ['deny', 'deny'],
    [undefined, 'all-authenticated'],
  ])('has, in a mesh with the default policy %s, the access policy %s', (policy, accessPolicy) => {
    const values = policy === undefined ? {} : { effectiveValues: { proxy: { defaultInboundPolicy: policy } } };
    const { chart, meshing } = shop({ ...EDGE, ...values });
    meshing.limitRequests(deployment(chart, 'api', { annotations: required('80,8000-8100') }), { total: 1 });
    meshing.limitRequests(deployment(chart, 'other', { annotations: required('80') }), { total: 1 });
    const policies = policiesIn(chart);
    expect(policies['Server api-http']?.spec).toMatchObject({ accessPolicy });
    expect(policies['Server other-http']?.spec).toMatchObject({ accessPolicy: policy ?? 'all-unauthenticated' });
  });

  test('reads the annotation of the namespace for pods that synth does not read', () => {
    const { chart, meshing } = mesh();
    const metadata = { name: 'shop', annotations: required('80') };
    new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata });
    const chartMade = service(chart, 'chart-made', { ports: [{ name: 'http', port: 80 }] });
    meshing.limitRequests(chartMade, { total: 1 });
    expect(policiesIn(chart)['Server chart-made-http']?.spec).toMatchObject({ accessPolicy: 'all-authenticated' });
  });
});

test('synth refuses a rate limit of pods with different access policies', () => {
  const { chart, meshing } = shop();
  deployment(chart, 'blue', { labels: { of: 'api' } });
  meshing.inject(deployment(chart, 'green', { labels: { of: 'api' } }), { defaultInboundPolicy: 'deny' });
  meshing.limitRequests(service(chart, 'api', { selector: { of: 'api' } }), { total: 1 });
  expect(ruleFindingsIn(chart)).toMatchObject([
    { code: 'policy-contested', parameters: { field: 'accessPolicy', values: '"all-unauthenticated" and "deny"' } },
  ]);
});

test('a rate limit uses the Server that allow creates', () => {
  const { chart, meshing } = shop();
  const api = deployment(chart, 'api');
  meshing.limitRequests(api, { total: 1 });
  meshing.allow(api, { from: [Clients.mesh()] });
  expect(problemsOf(chart)).toEqual([]);
  const policies = policiesIn(chart);
  expect(policies['Server api-http']?.spec).not.toHaveProperty('accessPolicy');
  expect(Object.keys(policies)).toContain(LIMIT);
});

test.each<[RateLimitOptions, object]>([
  [{}, { code: 'policy-value-refused', cause: 'no-limit' }],
  [{ total: 0 }, refusedValue('total', '0')],
  [{ total: 1.5 }, refusedValue('total', '1.5')],
  [{ perClient: Number.NaN }, refusedValue('perClient', 'NaN')],
  [{ total: 2 ** 32 }, refusedValue('total', '4294967296')],
  [{ total: 10, perClient: 11 }, refusedValue('perClient', '11')],
  [
    { total: 10, overrides: [{ clients: [Clients.serviceAccount({ namespace: 'a', name: 'b' })], perClient: 11 }] },
    refusedValue('overrides[0].perClient', '11'),
  ],
  [{ overrides: [{ clients: [Clients.mesh()], perClient: 1 }] }, refusedValue('overrides[0].clients', '["mesh"]')],
  [{ overrides: [{ clients: [], perClient: 1 }] }, refusedValue('overrides[0].clients', '[]')],
  [
    { overrides: [null as never], total: 1 },
    found('wrong-type', { path: 'limitRequests.overrides[0]', value: 'null', expected: 'a map' }),
  ],
  [
    { total: 1, ports: ['grpc'] },
    { code: 'policy-port-unknown', parameters: { port: '"grpc"', target: 'Deployment shop/api', known: 'http' } },
  ],
  [
    { total: 1, ports: [] },
    { code: 'policy-value-refused', parameters: { field: 'ports', value: '[]' } },
  ],
])('synth refuses the rate limit %j', (options, problem) => {
  const { chart, meshing } = shop();
  meshing.limitRequests(deployment(chart, 'api'), options);
  expect(ruleFindingsIn(chart)).toMatchObject([problem]);
});

test('synth refuses a rate limit of opaque ports, a second one, and any with 2.14', () => {
  const opaque = shop();
  opaque.meshing.limitRequests(deployment(opaque.chart, 'db', { container: { ports: [{ containerPort: 5432 }] } }), {
    total: 1,
  });
  expect(ruleFindingsIn(opaque.chart)).toMatchObject([
    { code: 'policy-without-http', parameters: { server: 'shop/db-5432', protocol: 'opaque' } },
  ]);

  const twice = shop();
  const api = deployment(twice.chart, 'api');
  for (const total of [1, 2]) twice.meshing.limitRequests(api, { total });
  expect(ruleFindingsIn(twice.chart)).toMatchObject([
    { code: 'policy-contested', parameters: { server: 'shop/api-http', field: 'limits' } },
  ]);

  const old = shop(STABLE);
  old.meshing.limitRequests(deployment(old.chart, 'api'), { total: 1 });
  expect(ruleFindingsIn(old.chart)).toMatchObject([
    {
      code: 'policy-unsupported',
      parameters: { call: 'limitRequests()', version: 'stable-2.14.10', kind: 'HTTPLocalRateLimitPolicy' },
    },
  ]);
});
