import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { API, account, codesIn, everybody, findingsIn, route, SHOP, server, workload } from './fixture';

const BY_CHANCE = ['Server api: audit-inaccurate'];
const ALL = [{ path: { type: 'PathPrefix', value: '/' } }];
const ROUTE = { kind: 'HTTPRoute', name: 'all' };
const audited = (spec: object = {}) => server('api', { accessPolicy: 'audit', ...spec });
const objects = (...more: KubernetesObject[]) => [SHOP, workload('api'), workload('web', { ports: [] }), ...more];
const named = (name: string, object: KubernetesObject) => ({ ...object, metadata: { ...object.metadata, name } });

const ON_SERVER = account('web', API);
const ON_ROUTE = named('web-on-route', account('web', ROUTE));

test.each(['unknown', 'HTTP/1', 'HTTP/2', 'opaque', 'TLS', 'gRPC'])(
  'checkPolicies reports inaccurate audit metrics for authorized clients of an audited Server of protocol %s',
  (proxyProtocol) => {
    expect(codesIn(...objects(audited({ proxyProtocol }), ON_SERVER))).toEqual(BY_CHANCE);
    expect(codesIn(...objects(audited({ proxyProtocol })))).toEqual([]);
    expect(codesIn(...objects(server('api', { proxyProtocol }), ON_SERVER))).toEqual([]);
  },
);

test('checkPolicies reports no inaccurate audit if clients are authorized for each route, too', () => {
  expect(codesIn(...objects(audited(), ON_SERVER, route('all', ALL)))).toEqual(BY_CHANCE);
  expect(codesIn(...objects(audited(), ON_SERVER, route('all', ALL), ON_ROUTE))).toEqual([]);
  const items = route('items', [{ path: { type: 'PathPrefix', value: '/items' } }]);
  expect(codesIn(...objects(audited(), ON_SERVER, route('all', ALL), ON_ROUTE, items))).toEqual(BY_CHANCE);
  const other = named('other', account('batch', API));
  expect(codesIn(...objects(audited(), ON_SERVER, route('all', ALL), ON_ROUTE, other))).toEqual(BY_CHANCE);
});

test('checkPolicies reports no inaccurate audit if clients are authorized for routes only', () => {
  expect(codesIn(...objects(audited(), route('all', ALL), ON_ROUTE))).toEqual([]);
});

test('checkPolicies reports an inaccurate audit for clients authorized in the whole namespace', () => {
  const all = { ...ON_SERVER, spec: { ...(ON_SERVER.spec as object), targetRef: { kind: 'Namespace', name: 'shop' } } };
  expect(codesIn(...objects(audited(), all))).toEqual(BY_CHANCE);
});

test('the query for the clients of an audited Server excludes authorized clients', () => {
  const authentication = (name: string, spec: object): readonly KubernetesObject[] => [
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: { name, namespace: 'shop' },
      spec,
    },
    {
      ...ON_SERVER,
      metadata: { name, namespace: 'shop' },
      spec: {
        ...(ON_SERVER.spec as object),
        requiredAuthenticationRefs: [{ group: 'policy.linkerd.io', kind: 'MeshTLSAuthentication', name }],
      },
    },
  ];
  const queryOf = (...more: KubernetesObject[]) =>
    findingsIn(...objects(audited(), ...more)).map(({ problem }) => problem.parameters?.query);
  expect(
    queryOf(
      ON_SERVER,
      ...authentication('jobs', { identityRefs: [{ kind: 'Namespace', name: 'jobs' }] }),
      ...authentication('texts', { identities: ['*.west.example.com', 'web.shop.example.com'] }),
    ),
  ).toEqual([
    'sum by (client_id) (rate({__name__=~"inbound_(http|tcp)_authz_allow_total",authz_name="audit",namespace="shop",srv_name="api",client_id!~".+[.]jobs[.]serviceaccount[.].+|.+[.]west[.]example[.]com|web[.]shop[.]example[.]com|web[.]shop[.]serviceaccount[.].+"}[1h])) > 0',
  ]);
  expect(queryOf(...everybody('everybody', API))).toEqual([
    'sum by (client_id) (rate({__name__=~"inbound_(http|tcp)_authz_allow_total",authz_name="audit",namespace="shop",srv_name="api"}[1h])) > 0, and clients without an identity by client.ip in the logs of its proxies, where 0.0.0.0/0, ::/0 are allowed',
  ]);
});
