import { ApiObject } from 'cdk8s';
import fc from 'fast-check';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { Clients, type PolicyClient } from '#lib/constructs/policy/clients';
import type { HttpMethod, HttpRequests } from '#lib/constructs/policy/requests';
import { runs } from '../../support/depth';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { countedAs, identityOf, isAllowed, type OracleConnection, type OraclePod } from '../../support/policy/oracle';
import { deployment, serviceAccount, shop } from './fixture';

const POD: OraclePod = {
  namespace: 'shop',
  labels: { app: 'api' },
  probes: { 8080: ['/health'] },
  defaultPolicy: 'deny',
};

const PROBED = { livenessProbe: { httpGet: { path: '/health?full=1', port: 'http' } } };
const EVERYBODY = '192.0.2.7';

/** Callers with the identity and address that the oracle compares. */
const WHO: Readonly<Record<string, Pick<OracleConnection, 'identity' | 'ip'>>> = {
  web: { identity: identityOf('web', 'shop'), ip: EVERYBODY },
  batch: { identity: identityOf('batch', 'jobs'), ip: EVERYBODY },
  west: { identity: 'web.shop.serviceaccount.identity.linkerd.west.example.com', ip: EVERYBODY },
  office: { ip: '10.2.3.4' },
  server: { ip: '10.1.3.4' },
  stranger: { ip: EVERYBODY },
};

/** The callers that each client of `allow` includes. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  web: ['web'],
  jobs: ['batch'],
  elsewhere: ['west'],
  office: ['office'],
  mesh: ['web', 'batch', 'west'],
  everyone: Object.keys(WHO),
};

interface Allowed {
  readonly from: readonly string[];
  readonly requests: readonly HttpRequests[];
}

const PATHS = ['/', '/a', '/a/b', '/a/bc', '/ab', '/health', '/a/'];
const METHODS: readonly HttpMethod[] = ['GET', 'POST'];

const requests: fc.Arbitrary<HttpRequests> = fc
  .record({ method: fc.option(fc.constantFrom(...METHODS)), path: fc.constantFrom(...PATHS), isPrefix: fc.boolean() })
  .map(({ method, path, isPrefix }) => ({
    ...(method === null ? {} : { method }),
    ...(isPrefix ? { pathPrefix: path } : { path }),
  }));

const allowed: fc.Arbitrary<Allowed> = fc.record({
  from: fc.uniqueArray(fc.constantFrom(...Object.keys(STANDS_FOR)), { minLength: 1, maxLength: 3 }),
  requests: fc.array(requests, { maxLength: 3 }),
});

function synthesized(calls: readonly Allowed[], mode: 'audit' | 'deny' = 'deny') {
  const { chart, meshing } = shop();
  meshing.defaultDeny('shop', { mode });
  const api = deployment(chart, 'api', { container: PROBED });
  const clients: Readonly<Record<string, PolicyClient>> = {
    web: deployment(chart, 'web', { container: { ports: [] } }),
    jobs: Clients.namespace('jobs'),
    elsewhere: Clients.elsewhere({ trustDomain: 'west.example.com', namespace: 'shop', serviceAccount: 'web' }),
    office: Clients.networks({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }),
    mesh: Clients.mesh(),
    everyone: Clients.everyone(),
  };
  serviceAccount(chart, 'batch', 'jobs');
  new ApiObject(chart, 'jobs', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'jobs' } });
  for (const call of calls) {
    const from = call.from.flatMap((name) => clients[name] ?? []);
    meshing.allow(api, { from, ...(call.requests.length === 0 ? {} : { requests: call.requests }) });
  }
  const problems = ruleFindingsIn(chart).map(({ code }) => code);
  return { problems, objects: problems.length > 0 ? [] : (plainObjects(chart) as KubernetesObject[]) };
}

/** Returns whether one of the calls of `allow` admits the request of a caller. */
function isMeant(calls: readonly Allowed[], caller: string, request: OracleConnection['request']): boolean {
  if (request?.method === 'GET' && request.path === '/health') return true;
  return calls.some(
    ({ from, requests }) =>
      from.some((name) => STANDS_FOR[name]?.includes(caller)) &&
      (requests.length === 0 || (request !== undefined && requests.some((one) => fits(one, request)))),
  );
}

function fits({ method, path, pathPrefix }: HttpRequests, request: NonNullable<OracleConnection['request']>): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (path !== undefined) return path === request.path;
  const prefix = (pathPrefix ?? '/').replace(/\/$/, '');
  return request.path === prefix || request.path.startsWith(`${prefix}/`);
}

const REQUESTS: readonly OracleConnection['request'][] = [
  undefined,
  ...['GET', 'POST', 'PUT'].flatMap((method) =>
    [...PATHS, '/z', '/a/b/c', '/health/deep'].map((path) => ({ method, path })),
  ),
];

test('`allow` admits the clients that it names, and probes, and no others', () => {
  let tied = 0;
  fc.assert(
    fc.property(fc.array(allowed, { minLength: 1, maxLength: 4 }), (calls) => {
      const { objects, problems } = synthesized(calls);
      if (problems.length > 0) {
        // Synth refuses routes between which Linkerd cannot decide.
        expect(problems.filter((code) => code !== 'routes-tied')).toEqual([]);
        tied += 1;
        return;
      }
      for (const [caller, client] of Object.entries(WHO)) {
        for (const request of REQUESTS) {
          const connection = { port: 8080, ...client, ...(request === undefined ? {} : { request }) };
          const verdict = { calls, caller, request, isAllowed: isAllowed(objects, POD, connection) };
          expect(verdict).toEqual({ ...verdict, isAllowed: isMeant(calls, caller, request) });
        }
      }
    }),
    { numRuns: runs(60) },
  );
  expect(tied).toBeLessThan(30);
});

test('an audit counts those clients as audited that `deny` would refuse, and no others', () => {
  let tied = 0;
  fc.assert(
    fc.property(fc.array(allowed, { minLength: 1, maxLength: 4 }), (calls) => {
      const { objects, problems } = synthesized(calls, 'audit');
      if (problems.length > 0) {
        expect(problems.filter((code) => code !== 'routes-tied')).toEqual([]);
        tied += 1;
        return;
      }
      for (const [caller, client] of Object.entries(WHO)) {
        for (const request of REQUESTS.filter((one) => one !== undefined)) {
          const counted = countedAs(objects, POD, { port: 8080, ...client, request });
          const isAudited = counted.includes('audit');
          const verdict = { calls, caller, request, counted };
          expect({ ...verdict, isAudited }).toEqual({ ...verdict, isAudited: !isMeant(calls, caller, request) });
          expect(counted.length === 1 || !isAudited).toBe(true);
        }
      }
    }),
    { numRuns: runs(60) },
  );
  expect(tied).toBeLessThan(30);
});

test('a port without a policy follows the default policy, and admits probes', () => {
  const { objects } = synthesized([{ from: ['web'], requests: [] }]);
  const pod = { ...POD, probes: { 9090: ['/health'] } };
  const web = { ...WHO.web, ip: EVERYBODY, port: 9090 };
  expect(isAllowed(objects, pod, { ...web, request: { method: 'GET', path: '/metrics' } })).toBe(false);
  expect(isAllowed(objects, pod, { ...web, request: { method: 'GET', path: '/health' } })).toBe(true);
  expect(isAllowed(objects, { ...pod, defaultPolicy: 'audit' }, web)).toBe(true);
});

test.each([
  ['audit', true],
  ['deny', false],
] as const)('whether a port with routes in mode %s admits unauthorized clients: %p', (mode, isLetIn) => {
  const { chart, meshing } = shop();
  const api = deployment(chart, 'api');
  meshing.defaultDeny('shop', { mode });
  meshing.allow(api, { from: [Clients.mesh()], requests: [{ method: 'GET', path: '/a' }] });
  const objects = plainObjects(chart) as KubernetesObject[];
  for (const request of REQUESTS) {
    const connection = { port: 8080, ip: EVERYBODY, ...(request === undefined ? {} : { request }) };
    expect({ request, is: isAllowed(objects, POD, connection) }).toEqual({ request, is: isLetIn });
  }
});
