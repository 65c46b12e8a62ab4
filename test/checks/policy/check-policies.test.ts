import fc from 'fast-check';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkAnnotations } from '#lib/checks/linkerd/annotation-check';
import { ANNOTATIONS } from '#lib/checks/linkerd/annotation-table';
import { checkPolicyAdmission } from '#lib/checks/policy/admission-check';
import { checkPolicies } from '#lib/checks/policy/check-policies';
import { authorizedClients } from '#lib/constructs/policy/clients-of';
import { runs } from '../../support/depth';
import { expectLinear } from '../../support/growth';
import { account, codesIn, namespace, server, shopWith, workload } from './fixture';

const KINDS = [
  ['policy.linkerd.io/v1beta3', 'Server'],
  ['policy.linkerd.io/v1beta3', 'HTTPRoute'],
  ['policy.linkerd.io/v1alpha1', 'AuthorizationPolicy'],
  ['policy.linkerd.io/v1alpha1', 'MeshTLSAuthentication'],
  ['policy.linkerd.io/v1alpha1', 'NetworkAuthentication'],
  ['policy.linkerd.io/v1alpha1', 'HTTPLocalRateLimitPolicy'],
  ['policy.linkerd.io/v1beta1', 'ServerAuthorization'],
  ['apps/v1', 'Deployment'],
  ['v1', 'Service'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['monitoring.coreos.com/v1', 'PodMonitor'],
] as const;

const KEYS = `annotations backend cidr client containers except http httpGet identities identityRefs kind labels
  livenessProbe matchExpressions matchLabels matches meshTLS metadata name namespace namespaceSelector networks overrides
  parentRefs path paths podMetricsEndpoints podSelector port ports regex relabelings requiredAuthenticationRefs rules
  selector server service spec targetRef template total`.split(/\s+/);

const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, 0, 80, 'a', '*', '/', 'Server', 'HTTPRoute', true, '10.0.0.0/8', '__proto__', undefined),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 5 }),
  ),
})).value;

test('checkPolicies accepts objects of any shape without an exception', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...KINDS), anything), { minLength: 1, maxLength: 8 }), (list) => {
      const objects = list.map(([[apiVersion, kind], spec], index): KubernetesObject => {
        return { apiVersion, kind, metadata: { name: `o${index}`, namespace: 'shop' }, spec };
      });
      checkPolicies(objects.map((object, construct) => ({ object, construct, path: 'x', home: 'shop' })));
      objects.forEach(checkPolicyAdmission);
      authorizedClients(objects);
    }),
    { numRuns: runs(500) },
  );
});

test('checkPolicies accepts annotations of any type without an exception', () => {
  const odd = fc.constantFrom(25, true, null, ['80'], { a: 'b' }, 'x', '', '8080');
  const annotations = fc.dictionary(fc.constantFrom(...ANNOTATIONS.keys()), odd, { maxKeys: 4 }) as fc.Arbitrary<
    Record<string, string>
  >;
  const deployment = workload('web');
  fc.assert(
    fc.property(annotations, annotations, annotations, (ofPods, ofNamespace, own) => {
      const objects = [
        shopWith('deny'),
        namespace('other', ofNamespace),
        workload('api', {}, { annotations: ofPods }),
        workload('elsewhere', {}, { annotations: ofPods, namespace: 'other' }),
        { ...deployment, metadata: { ...deployment.metadata, annotations: own } },
        server('web', { port: 8080 }),
      ];
      checkPolicies(objects.map((object, construct) => ({ object, construct, path: 'x', home: 'shop' })));
      for (const object of objects) checkAnnotations(object, undefined);
    }),
    { numRuns: runs(300) },
  );
});

test('checkPolicies checks a namespace of 1,000 services in linear time', () => {
  expectLinear((count) => {
    const objects = Array.from({ length: count }, (_, index) => [
      workload(`w${index}`, { livenessProbe: { httpGet: { path: '/x', port: 'http' } } }),
      server(`s${index}`, { podSelector: { matchLabels: { app: `w${index}` } } }),
      account(`w${(index + 1) % count}`, { kind: 'Server', name: `s${index}` }),
    ]).flat();
    expect(codesIn(shopWith('deny'), ...objects)).toEqual([]);
  }, 60);
});
