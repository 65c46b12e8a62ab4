import { checkScope } from '#lib/gitops/synth/output/layout';
import { facts } from '#test/support/findings';

test.each([
  ['v1', 'ConfigMap', [{ finding: 'object-incomplete/namespace', object: 'ConfigMap a' }]],
  ['v1', 'Namespace', []],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', []],
  // Of unknown kinds it is not known whether they have one.
  ['example.com/v1', 'Widget', []],
])('synth places an object of %s/%s without a namespace', (apiVersion, kind, expected) => {
  expect(checkScope({ apiVersion, kind, metadata: { name: 'a' } }).map(facts)).toMatchObject(expected);
});
