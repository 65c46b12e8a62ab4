import { codesIn, findingsIn, namespace, shopWith, workload } from './fixture';

const POLICY = 'config.linkerd.io/default-inbound-policy';

function bare(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations: { [POLICY]: 'audit' } } };
}

function egress(name: string) {
  return {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'EgressNetwork',
    metadata: { name: 'all', namespace: name },
    spec: { trafficPolicy: 'Deny' },
  };
}

test('checkPolicies warns of a default policy for a namespace that no other object names', () => {
  const findings = findingsIn(bare('shopp'), namespace('shop'), workload('web'));
  expect(findings).toMatchObject([
    {
      severity: 'warning',
      path: 'Namespace shopp',
      problem: { code: 'policy-without-pods', parameters: { namespace: 'shopp', similar: 'shop' } },
    },
  ]);
});

test('checkPolicies warns of an EgressNetwork in a namespace that no other object names', () => {
  expect(codesIn(egress('shopp'), namespace('shop'))).toEqual(['EgressNetwork all: policy-without-pods']);
  expect(codesIn(egress('shop'), namespace('shop'))).toEqual([]);
});

test('checkPolicies does not warn of a namespace that has pods or is part of the mesh', () => {
  expect(codesIn(shopWith('audit'))).toEqual([]);
  expect(codesIn(bare('shop'), workload('web'))).toEqual(['Deployment web: policy-not-enforced']);
  expect(codesIn(egress('linkerd-egress'))).toEqual([]);
});
