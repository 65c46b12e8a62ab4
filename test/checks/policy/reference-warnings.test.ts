import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { API, account, codesIn, everybody, exact, route, SHOP, server, workload } from './fixture';

const MISSING = (object: string) => [`${object}: policy-reference-missing`];

test('checkPolicies reports an authorization for a missing target', () => {
  expect(codesIn(SHOP, account('web', API))).toEqual(MISSING('AuthorizationPolicy web'));
  expect(codesIn(SHOP, account('web', { kind: 'HTTPRoute', name: 'items' }))).toHaveLength(1);
  expect(codesIn(SHOP, workload('api'), server('api'), account('web', API))).toEqual([]);
  expect(codesIn(SHOP, workload('api'), server('api', {}, 'jobs'), account('web', API))).toHaveLength(1);
});

test('checkPolicies reports a missing authentication', () => {
  const [, policy] = everybody('all', API);
  if (policy === undefined) throw new Error('There are two.');
  expect(codesIn(SHOP, workload('api'), server('api'), policy)).toEqual(MISSING('AuthorizationPolicy all'));
  expect(codesIn(SHOP, workload('api'), server('api'), ...everybody('all', API))).toEqual([]);
});

test('checkPolicies reports a route of a missing Server', () => {
  expect(codesIn(SHOP, route('items', [exact('/items')]))).toEqual(MISSING('HTTPRoute items'));
});

test('checkPolicies accepts references of an extension to objects that its chart makes', () => {
  const { metadata, ...policy } = account('web', API);
  const labelled = { ...policy, metadata: { ...metadata, labels: { 'linkerd.io/extension': 'viz' } } };
  expect(codesIn(SHOP, labelled)).toEqual([]);
});

test('checkPolicies applies the mesh’s default policy to a namespace without one', () => {
  const destination = (policy: string): KubernetesObject => {
    const labels = { 'linkerd.io/control-plane-component': 'destination' };
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'linkerd-destination', namespace: 'linkerd', labels },
      spec: {
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'policy', args: [`--default-policy=${policy}`] }] },
        },
      },
    };
  };
  const probed = workload('api', { livenessProbe: { grpc: { port: 8080 } } });
  expect(codesIn(SHOP, probed, destination('deny'))).toEqual([
    'Deployment api: probe-denied',
    'Deployment api: workload-unreachable',
  ]);
  expect(codesIn(SHOP, probed, destination('all-unauthenticated'))).toEqual([]);
});
