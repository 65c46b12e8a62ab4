import { chartValues, find, podOf, render, renderViz } from './fixture';

// Comparisons with Helm ignore hooks and comments, and do not cover these annotations.

const HOOK = 'helm.sh/hook';

test('linkerd-viz renders only the job that labels its namespace, and RBAC for the job, as Helm hooks', () => {
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

test('annotations in values do not replace those that linkerd-viz sets for injection', () => {
  const annotations = {
    'linkerd.io/inject': 'disabled',
    'config.alpha.linkerd.io/proxy-wait-before-exit-seconds': '9',
  };
  const values = { prometheus: { podAnnotations: annotations }, tap: { service: { annotations } } };
  const enabled = { 'linkerd.io/inject': 'enabled' };
  expect(find(render(values), 'Service', 'tap')?.metadata.annotations).toMatchObject(enabled);
  expect(podOf(values, 'prometheus').metadata?.annotations).toMatchObject({
    ...enabled,
    'config.alpha.linkerd.io/proxy-wait-before-exit-seconds': '0',
  });
});

test('the configuration of Prometheus names the namespaces of the control plane and Viz, without comments', () => {
  const { data } = find(
    renderViz(chartValues(), { namespace: 'metrics' }),
    'ConfigMap',
    'prometheus-config',
  ) as unknown as { readonly data: Readonly<Record<string, string>> };
  const text = data['prometheus.yml'] ?? '';
  expect(text.match(/names: *\n((?: *- .*\n)+)/)?.[1]?.match(/[^- \n]+/g)).toEqual(['linkerd', 'metrics']);
  expect(text).not.toMatch(/(?:^|\s)#/);
});
