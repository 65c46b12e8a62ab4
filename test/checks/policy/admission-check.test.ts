import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkPolicyAdmission } from '#lib/checks/policy/admission-check';

const GROUP = 'policy.linkerd.io';

const refusals = (kind: string, spec: unknown) => {
  const object = { apiVersion: `${GROUP}/v1alpha1`, kind, metadata: { name: 'x', namespace: 'shop' }, spec };
  return checkPolicyAdmission(object as KubernetesObject).map(({ code, place, parameters }) => {
    expect(code).toBe('policy-refused');
    expect(place).toBe(`${kind} shop/x`);
    const { field, value = 'refused' } = parameters ?? {};
    return `${field} is ${value}`;
  });
};

const SERVER = { group: GROUP, kind: 'Server', name: 'api' };
const MESH = { group: GROUP, kind: 'MeshTLSAuthentication', name: 'a' };
const NETWORK = { group: GROUP, kind: 'NetworkAuthentication', name: 'a' };
const ACCOUNT = { kind: 'ServiceAccount', name: 'a' };

test.each<[string, object, readonly string[]]>([
  ['of a Server', { targetRef: SERVER, requiredAuthenticationRefs: [MESH, NETWORK] }, []],
  ['of its namespace', { targetRef: { kind: 'Namespace', name: 'shop' }, requiredAuthenticationRefs: [ACCOUNT] }, []],
  [
    'of another namespace',
    { targetRef: { kind: 'Namespace', name: 'jobs' }, requiredAuthenticationRefs: [] },
    ['spec.targetRef.name is "jobs"'],
  ],
  [
    'of a Service',
    { targetRef: { kind: 'Service', name: 'api' }, requiredAuthenticationRefs: [] },
    ['spec.targetRef is "/Service"'],
  ],
  [
    'of a Server without group',
    { targetRef: { kind: 'Server', name: 'api' }, requiredAuthenticationRefs: [] },
    ['spec.targetRef is "/Server"'],
  ],
  [
    'by two identities',
    { targetRef: SERVER, requiredAuthenticationRefs: [MESH, ACCOUNT] },
    [`spec.requiredAuthenticationRefs is ["${GROUP}/MeshTLSAuthentication","/ServiceAccount"]`],
  ],
  [
    'by two networks',
    { targetRef: SERVER, requiredAuthenticationRefs: [NETWORK, NETWORK] },
    [expect.stringContaining('spec.requiredAuthenticationRefs is')],
  ],
  [
    'by a user',
    { targetRef: SERVER, requiredAuthenticationRefs: [{ kind: 'User', name: 'a' }] },
    ['spec.requiredAuthenticationRefs is "/User"'],
  ],
])('checkPolicyAdmission checks an AuthorizationPolicy %s', (_, spec, expected) => {
  expect(refusals('AuthorizationPolicy', spec)).toEqual(expected);
});

test.each([
  ['*', true],
  ['*.shop.serviceaccount.identity.linkerd.cluster.local', true],
  ['web.shop.serviceaccount.identity.linkerd.cluster.local', true],
  ['spiffe://west/ns/shop/sa/web', true],
  ['spiffe://west', true],
  ['system.local.*', false],
  ['system..local', false],
  ['.system.local', false],
  ['Web.shop', false],
  ['http://west/x', false],
  ['spiffe:///x', false],
  ['spiffe://west/', false],
  ['spiffe://west//x', false],
  ['spiffe://west/./x', false],
  ['spiffe://west/..', false],
  ['spiffe://user@west/x', false],
])('whether checkPolicyAdmission accepts a MeshTLSAuthentication of %s: %p', (identity, isTaken) => {
  expect(refusals('MeshTLSAuthentication', { identities: [identity] })).toHaveLength(isTaken ? 0 : 1);
});

test('checkPolicyAdmission accepts references of a MeshTLSAuthentication to ServiceAccounts and Namespaces only', () => {
  const of = (...identityRefs: object[]) => refusals('MeshTLSAuthentication', { identityRefs });
  expect(of(ACCOUNT, { kind: 'Namespace', name: 'jobs' })).toEqual([]);
  expect(of({ kind: 'Namespace', name: 'jobs', namespace: 'shop' })).toHaveLength(1);
  expect(of({ kind: 'Deployment', name: 'web' })).toEqual(['spec.identityRefs[0] is "/Deployment"']);
});

test.each([
  [[{ cidr: '10.0.0.0/8' }, { cidr: '::/0' }, { cidr: '10.1.2.3' }], []],
  [[], ['spec.networks is []']],
  [[{ cidr: '10.0.0.0/33' }], ['spec.networks[0].cidr is "10.0.0.0/33"']],
  [[{ cidr: 'office' }], ['spec.networks[0].cidr is "office"']],
  [[{ cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '10.2.3.4'] }], []],
  [[{ cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] }], ['spec.networks[0].except is "11.0.0.0/16"']],
  [[{ cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] }], ['spec.networks[0].except is "10.0.0.0/8"']],
  [[{ cidr: '10.0.0.0/8', except: ['0.0.0.0/0'] }], ['spec.networks[0].except is "0.0.0.0/0"']],
  [[{ cidr: '10.0.0.0/8', except: ['fd00::/8'] }], ['spec.networks[0].except is "fd00::/8"']],
  [[{ cidr: 'fd00::/8', except: ['fd12::/16'] }], []],
])('checkPolicyAdmission checks networks %j', (networks, expected) => {
  expect(refusals('NetworkAuthentication', { networks })).toEqual(expected);
  expect(refusals('EgressNetwork', { networks, trafficPolicy: 'Deny' })).toEqual(expected);
});

test('checkPolicyAdmission accepts an EgressNetwork without networks', () => {
  expect(refusals('EgressNetwork', { trafficPolicy: 'Deny' })).toEqual([]);
});

test.each([
  [{ port: 80 }, []],
  [{ port: 'http', accessPolicy: 'audit', proxyProtocol: 'HTTP/1' }, []],
  [{ port: 80, accessPolicy: 'allow' }, ['spec.accessPolicy is "allow"']],
  [{ port: 80, proxyProtocol: 'http' }, ['spec.proxyProtocol is "http"']],
  [{ port: 0 }, ['spec.port is 0']],
])('checkPolicyAdmission checks a Server %j', (spec, expected) => {
  expect(refusals('Server', { podSelector: {}, ...spec })).toEqual(expected);
});

test.each([
  [{ ...SERVER }, []],
  [{ ...SERVER, namespace: 'shop' }, []],
  [{ ...SERVER, namespace: 'jobs' }, ['spec.parentRefs[0].namespace is "jobs"']],
  [{ ...SERVER, port: 80 }, ['spec.parentRefs[0].port is 80']],
  [{ ...SERVER, sectionName: 'a' }, ['spec.parentRefs[0].sectionName is "a"']],
  [{ ...SERVER, kind: 'EgressNetwork' }, ['spec.parentRefs[0].port is refused']],
  [{ ...SERVER, kind: 'EgressNetwork', port: 443 }, []],
  [{ group: '', kind: 'Service', name: 'api' }, []],
])('checkPolicyAdmission checks the parent of an HTTPRoute %j', (parent, expected) => {
  expect(refusals('HTTPRoute', { parentRefs: [parent] })).toEqual(expected);
});

test('checkPolicyAdmission refuses a path of an HTTPRoute that does not begin with a slash', () => {
  const of = (path: object) => refusals('HTTPRoute', { rules: [{ matches: [{ path }, { method: 'GET' }] }] });
  expect(of({ value: '/a' })).toEqual([]);
  expect(of({ value: 'a' })).toEqual(['spec.rules[0].matches[0].path.value is "a"']);
  expect(of({ type: 'RegularExpression', value: '.*' })).toEqual([]);
});

test.each([
  [{ total: { requestsPerSecond: 10 }, identity: { requestsPerSecond: 10 } }, []],
  [{ total: { requestsPerSecond: 0 } }, ['spec.total.requestsPerSecond is 0']],
  [{ total: { requestsPerSecond: 5 }, identity: { requestsPerSecond: 6 } }, ['spec.identity.requestsPerSecond is 6']],
  [
    { total: { requestsPerSecond: 5 }, overrides: [{ requestsPerSecond: 6, clientRefs: [ACCOUNT] }] },
    ['spec.overrides[0].requestsPerSecond is 6'],
  ],
  [
    { identity: { requestsPerSecond: 6 }, overrides: [{ requestsPerSecond: 9, clientRefs: [MESH] }] },
    [`spec.overrides[].clientRefs is "${GROUP}/MeshTLSAuthentication"`],
  ],
])('checkPolicyAdmission checks an HTTPLocalRateLimitPolicy %j', (spec, expected) => {
  expect(refusals('HTTPLocalRateLimitPolicy', { targetRef: SERVER, ...spec })).toEqual(expected);
  expect(refusals('HTTPLocalRateLimitPolicy', { targetRef: MESH, ...spec })).toHaveLength(expected.length + 1);
});

test.each([
  null,
  undefined,
  'x',
  [],
  { networks: 7, identities: 'x', rules: [null], parentRefs: [null], overrides: [null] },
])('checkPolicyAdmission accepts a spec of %j without an exception', (spec) => {
  for (const kind of [
    'AuthorizationPolicy',
    'HTTPRoute',
    'HTTPLocalRateLimitPolicy',
    'NetworkAuthentication',
    'Server',
  ]) {
    expect(() => refusals(kind, spec)).not.toThrow();
  }
});
