import type { KubernetesObject } from '#lib/kubernetes/kubernetes-object';
import { API, account, codesIn, namespace, SHOP, server, workload } from './fixture';

const DISABLED = { annotations: { 'linkerd.io/inject': 'disabled' } };

const objects = (...more: KubernetesObject[]) => [SHOP, workload('api'), server('api'), ...more];

describe('a client without a proxy', () => {
  const outside = ['AuthorizationPolicy web: client-not-meshed'];

  test.each([
    ['that is excluded', workload('web', {}, DISABLED)],
    ['on the network of its node', workload('web', {}, { hostNetwork: true })],
  ])('%s could not be known', (_, web) => {
    expect(codesIn(...objects(web, account('web', API)))).toEqual(outside);
  });

  test('in a namespace that is not meshed could not be known; in one of which nothing is known it may be', () => {
    const web = workload('web', {}, { namespace: 'jobs' });
    const policy = account('web', API, 'jobs');
    const plain = { ...namespace('jobs'), metadata: { name: 'jobs' } };
    expect(codesIn(...objects(web, policy, plain))).toEqual(outside);
    expect(codesIn(...objects(web, policy))).toEqual([]);
    expect(codesIn(...objects(web, policy, namespace('jobs')))).toEqual([]);
  });

  test('is known by another workload of its account', () => {
    const batch = workload('batch', {}, { account: 'web' });
    expect(codesIn(...objects(workload('web', {}, DISABLED), batch, account('web', API)))).toEqual([]);
  });

  test('may be a stranger', () => {
    expect(codesIn(...objects(account('web', API)))).toEqual([]);
  });

  test('is found among the references of a MeshTLSAuthentication', () => {
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

test('the account default of several workloads lets in more than one', () => {
  const [web, batch] = ['web', 'batch'].map((name) => workload(name, {}, { account: 'default' }));
  if (web === undefined || batch === undefined) throw new Error('There are two.');
  expect(codesIn(...objects(web, batch, account('default', API)))).toEqual([
    'AuthorizationPolicy default: service-account-shared',
  ]);
  expect(codesIn(...objects(web, account('default', API)))).toEqual([]);
});
