import { containerOf, podOf, render } from './fixture';

const HOOK = 'helm.sh/hook';

test('the job and what it needs are hooks, and nothing else is', () => {
  const hooks = render().filter(({ metadata }) => metadata.annotations?.[HOOK] !== undefined);
  expect(hooks.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
    'Job namespace-metadata',
    'Role namespace-metadata',
    'RoleBinding namespace-metadata',
    'RoleBinding viz-namespace-metadata-linkerd-config',
    'ServiceAccount namespace-metadata',
  ]);
  for (const { metadata } of hooks) {
    expect(metadata.annotations).toMatchObject({
      [HOOK]: 'post-install',
      [`${HOOK}-delete-policy`]: 'before-hook-creation,hook-succeeded',
    });
  }
});

test('without the job there is nothing of it', () => {
  expect(JSON.stringify(render({ createNamespaceMetadataJob: false }))).not.toContain('namespace-metadata');
});

test('it has its own release and its own place', () => {
  const values = { linkerdVersion: 'edge-1', namespaceMetadata: { nodeSelector: { disk: 'ssd' }, tolerations: [] } };
  expect(containerOf(values, 'namespace-metadata').image).toBe('cr.l5d.io/linkerd/extension-init:v0.1.12');
  expect(podOf(values, 'namespace-metadata').spec).toMatchObject({
    nodeSelector: { 'kubernetes.io/os': 'linux', disk: 'ssd' },
  });
  expect(podOf(values, 'namespace-metadata').spec?.tolerations).toBeUndefined();
});
