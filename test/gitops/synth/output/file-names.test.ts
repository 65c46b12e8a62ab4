import fc from 'fast-check';
import index from '#imports/index.json';
import { apiGroup } from '#kubernetes/objects/scope';
import { objectFileName } from '#lib/gitops/synth/output/file-names';
import { isKnownGroup } from '#linkerd/api-groups';

const fileOf = (apiVersion: string, kind: string, name: string) =>
  objectFileName({ apiVersion, kind, metadata: { name } });

test.each([
  ['v1', 'ConfigMap', 'a.b-c', 'configmap.a.b-c.yaml'],
  ['apps/v1', 'Deployment', 'web', 'deployment.web.yaml'],
  ['cert-manager.io/v1', 'Certificate', 'web', 'certificate.web.yaml'],
  ['policy.linkerd.io/v1beta3', 'HTTPRoute', 'web', 'httproute.policy.linkerd.io.web.yaml'],
  ['gateway.networking.k8s.io/v1', 'HTTPRoute', 'web', 'httproute.gateway.networking.k8s.io.web.yaml'],
  ['example.com/v1', 'Widget', 'web', 'widget.example.com.web.yaml'],
  ['serving.knative.dev/v1', 'Service', 'web', 'service.serving.knative.dev.web.yaml'],
  ['v1', 'Event', 'x', 'event.x.yaml'],
  ['events.k8s.io/v1', 'Event', 'x', 'event.events.k8s.io.x.yaml'],
])('synth writes %s %s %s to %s', (apiVersion, kind, name, file) => expect(fileOf(apiVersion, kind, name)).toBe(file));

test.each([
  ['system:node', 'clusterrole.system_node.yaml'],
  ['Admin', 'clusterrole.=41dmin.yaml'],
  ['a_b', 'clusterrole.a=5fb.yaml'],
  ['a=5fb', 'clusterrole.a=3d5fb.yaml'],
  ['é', 'clusterrole.=c3=a9.yaml'],
])('synth writes the RBAC object %s to a file with the portable name %s', (name, file) => {
  expect(fileOf('rbac.authorization.k8s.io/v1', 'ClusterRole', name)).toBe(file);
});

test('a control character before a digit is not written as the code of a letter', () => {
  const fileName = (name: string) => fileOf('rbac.authorization.k8s.io/v1', 'Role', name);
  expect(fileName('\u{4}1')).not.toBe(fileName('A'));
});

test('two names never share a file, even on a file system that ignores case', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'A', ':', '_', '=', '5', 'f', '.', '-', 'é'),
    minLength: 1,
    maxLength: 6,
  });
  const fileName = (text: string) => fileOf('rbac.authorization.k8s.io/v1', 'Role', text).toLowerCase();
  fc.assert(fc.property(name, name, (a, b) => (fileName(a) === fileName(b)) === (a === b)));
});

const types = Object.keys(index)
  .filter((address) => !address.startsWith('charts/'))
  .map((address) => address.split('/'))
  .map((parts) => ({ kind: parts.at(-1) ?? '', apiVersion: parts.slice(0, -1).join('/') }));

test('file names contain the group of kinds that exist in two groups', () => {
  const files = new Map<string, string>();
  for (const { apiVersion, kind } of types) {
    const file = fileOf(apiVersion, kind, 'x');
    expect(files.get(file) ?? apiGroup(apiVersion)).toBe(apiGroup(apiVersion));
    files.set(file, apiGroup(apiVersion));
  }
});

test('synth has the groups of all imported kinds', () => {
  expect(types.filter(({ apiVersion }) => !isKnownGroup(apiGroup(apiVersion)))).toEqual([]);
});
