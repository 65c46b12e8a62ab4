import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { authorizedClients } from '#lib/constructs/policy/clients-of';

const GROUP = 'policy.linkerd.io';

function policy(kind: string, name: string, spec: object, namespace = 'shop'): KubernetesObject {
  const version = kind === 'Server' || kind === 'HTTPRoute' ? 'v1beta3' : 'v1alpha1';
  return { apiVersion: `${GROUP}/${version}`, kind, metadata: { name, namespace }, spec };
}

const SERVER = policy('Server', 'api-http', { podSelector: { matchLabels: { app: 'api' } }, port: 8080 });
const TO_SERVER = { group: GROUP, kind: 'Server', name: 'api-http' };

function authorization(name: string, client: object, targetRef: object = TO_SERVER): KubernetesObject {
  return policy('AuthorizationPolicy', name, { targetRef, requiredAuthenticationRefs: [client].flat() });
}

const clients = (...objects: KubernetesObject[]) => authorizedClients([SERVER, ...objects]).get('shop/api-http');

test('a Server without an authorization admits no client', () => {
  expect(authorizedClients([SERVER])).toEqual(new Map([['shop/api-http', []]]));
});

test('the list of clients distinguishes accounts, namespaces, external identities and networks', () => {
  expect(
    clients(
      policy('MeshTLSAuthentication', 'known', {
        identities: ['*', 'web.shop.serviceaccount.identity.linkerd.west.example.com'],
        identityRefs: [
          { kind: 'ServiceAccount', name: 'web' },
          { kind: 'Namespace', name: 'jobs' },
        ],
      }),
      policy('NetworkAuthentication', 'office', { networks: [{ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }] }),
      authorization('known', { group: GROUP, kind: 'MeshTLSAuthentication', name: 'known' }),
      authorization('office', { group: GROUP, kind: 'NetworkAuthentication', name: 'office' }),
      authorization('account', { kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' }),
    ),
  ).toEqual([
    'all service accounts of namespace jobs',
    'any meshed client',
    'anyone from 10.0.0.0/8 without 10.1.0.0/16',
    'identity web.shop.serviceaccount.identity.linkerd.west.example.com',
    'service account monitoring/prometheus',
    'service account shop/web',
  ]);
});

test('a client must satisfy all authentications of a policy', () => {
  expect(
    clients(
      policy('NetworkAuthentication', 'office', { networks: [{ cidr: '10.0.0.0/8' }] }),
      authorization('both', [
        { kind: 'ServiceAccount', name: 'web' },
        { group: GROUP, kind: 'NetworkAuthentication', name: 'office' },
      ]),
    ),
  ).toEqual(['service account shop/web from 10.0.0.0/8']);
});

test('an authorization that names a missing authentication admits no client', () => {
  expect(clients(authorization('gone', { group: GROUP, kind: 'MeshTLSAuthentication', name: 'gone' }))).toEqual([]);
  expect(clients(authorization('gone', { group: GROUP, kind: 'NetworkAuthentication', name: 'gone' }))).toEqual([]);
});

test('an authorization for a namespace applies to all of its Servers, and to no others', () => {
  const target = { kind: 'Namespace', name: 'shop' };
  expect(clients(authorization('all', { kind: 'ServiceAccount', name: 'web' }, target))).toEqual([
    'service account shop/web',
  ]);
  const elsewhere = policy('Server', 'api-http', { podSelector: {}, port: 80 }, 'jobs');
  expect(
    authorizedClients([elsewhere, authorization('all', { kind: 'ServiceAccount', name: 'web' }, target)]).get(
      'jobs/api-http',
    ),
  ).toEqual([]);
});

test('the list of clients names the requests that a client may send', () => {
  const route = policy('HTTPRoute', 'reads', {
    parentRefs: [TO_SERVER],
    rules: [
      { matches: [{ method: 'GET', path: { type: 'PathPrefix', value: '/items' } }] },
      { matches: [{ path: { type: 'Exact', value: '/ready' } }] },
    ],
  });
  const target = { group: GROUP, kind: 'HTTPRoute', name: 'reads' };
  expect(
    clients(
      route,
      authorization('reads', { kind: 'ServiceAccount', name: 'web' }, target),
      authorization('all', { kind: 'ServiceAccount', name: 'admin' }),
    ),
  ).toEqual(['service account shop/admin (/ready, GET /items/*)', 'service account shop/web (GET /items/*, /ready)']);
});

test('an access policy admits clients without an authorization', () => {
  const audited = (accessPolicy: string) =>
    authorizedClients([
      policy('Server', 'api-http', { podSelector: {}, port: 80, accessPolicy }),
      authorization('web', { kind: 'ServiceAccount', name: 'web' }),
    ]).get('shop/api-http');
  expect(audited('audit')).toEqual(['anyone else, audited', 'service account shop/web']);
  expect(audited('all-unauthenticated')).toEqual(['anyone', 'service account shop/web']);
  expect(audited('cluster-authenticated')).toEqual(['any meshed client from the cluster', 'service account shop/web']);
  expect(audited('deny')).toEqual(['service account shop/web']);
});

test('the list of clients reads ServerAuthorizations, by name and by labels', () => {
  const saz = (name: string, server: object): KubernetesObject => ({
    apiVersion: `${GROUP}/v1beta1`,
    kind: 'ServerAuthorization',
    metadata: { name, namespace: 'shop' },
    spec: { server, client: { meshTLS: { serviceAccounts: [{ name }] } } },
  });
  expect(
    clients(
      saz('by-name', { name: 'api-http' }),
      saz('by-labels', { selector: { matchLabels: { tier: 'front' } } }),
      saz('of-all', { selector: {} }),
    ),
  ).toEqual(['service account shop/by-name from the cluster', 'service account shop/of-all from the cluster']);
});

test.each([null, undefined, 7, 'x', [], [null]])('the list of clients treats a spec of %p as empty', (spec) => {
  const kinds = ['Server', 'HTTPRoute', 'AuthorizationPolicy', 'MeshTLSAuthentication', 'NetworkAuthentication'];
  const objects = kinds.map((kind) => policy(kind, '__proto__', spec as object));
  expect([...authorizedClients(objects)]).toEqual([['shop/__proto__', []]]);
});
