import { customResourceDefinition, customResourceDefinitions } from '../support/cluster/crds';

it('defines every imported custom resource once', () => {
  const names = customResourceDefinitions().map(({ metadata }) => metadata.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['certificates.cert-manager.io', 'servers.policy.linkerd.io']));
});

it('stores the newest of several versions', () => {
  const { spec } = customResourceDefinition('policy.linkerd.io', 'HTTPRoute');
  const versions: readonly { name: string; storage: boolean }[] = spec.versions;
  expect(versions.map(({ name, storage }) => [name, storage])).toEqual([
    ['v1beta3', true],
    ['v1beta2', false],
    ['v1beta1', false],
    ['v1alpha1', false],
  ]);
});

it('prefers a stable version to a beta', () => {
  const { spec } = customResourceDefinition('gateway.networking.k8s.io', 'HTTPRoute');
  expect(spec.versions[0]).toMatchObject({ name: 'v1', storage: true });
});

it('has the scope, plural and subresources of the original', () => {
  expect(customResourceDefinition('cert-manager.io', 'ClusterIssuer').spec).toMatchObject({
    scope: 'Cluster',
    names: { plural: 'clusterissuers' },
    versions: [{ subresources: { status: {} } }],
  });
  expect(customResourceDefinition('policy.linkerd.io', 'AuthorizationPolicy').spec).toMatchObject({
    scope: 'Namespaced',
    names: { plural: 'authorizationpolicies' },
    versions: [expect.not.objectContaining({ subresources: expect.anything() })],
  });
  const attachments = customResourceDefinition('k8s.cni.cncf.io', 'NetworkAttachmentDefinition');
  expect(attachments.metadata.name).toBe('network-attachment-definitions.k8s.cni.cncf.io');
});

it('says which schema is missing', () => {
  expect(() => customResourceDefinition('example.com', 'Unicorn')).toThrow(
    'There is no schema of Unicorn in example.com under imports/.',
  );
});
