import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { API, account, codesIn, namespace, SHOP, server, workload } from './fixture';

const DISABLED = { annotations: { 'linkerd.io/inject': 'disabled' } };

const objects = (...more: KubernetesObject[]) => [SHOP, workload('api'), server('api'), ...more];

describe('checkPolicies, for an authorized client without a proxy,', () => {
  const outside = ['AuthorizationPolicy web: client-not-meshed'];

  test.each([
    ['that is excluded', workload('web', {}, DISABLED)],
    ['on the network of its node', workload('web', {}, { hostNetwork: true })],
  ])('reports a client %s', (_, web) => expect(codesIn(...objects(web, account('web', API)))).toEqual(outside));

  test('reports a client in a namespace that is not meshed, and ignores one in an undeclared namespace', () => {
    const web = workload('web', {}, { namespace: 'jobs' });
    const policy = account('web', API, 'jobs');
    const plain = { ...namespace('jobs'), metadata: { name: 'jobs' } };
    expect(codesIn(...objects(web, policy, plain))).toEqual(outside);
    expect(codesIn(...objects(web, policy))).toEqual([]);
    expect(codesIn(...objects(web, policy, namespace('jobs')))).toEqual([]);
  });

  test('accepts a client without a proxy if another workload of its ServiceAccount has one', () => {
    const batch = workload('batch', {}, { account: 'web' });
    expect(codesIn(...objects(workload('web', {}, DISABLED), batch, account('web', API)))).toEqual([]);
  });

  test('accepts a ServiceAccount of a workload that is not in the output', () =>
    expect(codesIn(...objects(account('web', API)))).toEqual([]));

  test('reports a MeshTLSAuthentication that refers to the ServiceAccount of the client', () => {
    const clients = (ref: object): KubernetesObject => ({
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: { name: 'clients', namespace: 'shop' },
      spec: { identityRefs: [ref] },
    });
    const web = workload('web', {}, DISABLED);
    expect(codesIn(...objects(web, clients({ kind: 'ServiceAccount', name: 'web' })))).toEqual([
      'MeshTLSAuthentication clients: client-not-meshed',
    ]);
    expect(codesIn(...objects(web, clients({ kind: 'Namespace', name: 'web' })))).toEqual([]);
  });
});

test('checkPolicies reports an authorization of the ServiceAccount default that several workloads share', () => {
  const [web, batch] = ['web', 'batch'].map((name) => workload(name, {}, { account: 'default' }));
  if (web === undefined || batch === undefined) throw new Error('There are two.');
  expect(codesIn(...objects(web, batch, account('default', API)))).toEqual([
    'AuthorizationPolicy default: service-account-shared',
  ]);
  expect(codesIn(...objects(web, account('default', API)))).toEqual([]);
});
