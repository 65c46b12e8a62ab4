import type { ConfigMap, Deployment } from '#imports/kubernetes';
import { JAEGER_DIFFERENCES } from '#linkerd/renderers/linkerd-jaeger/intended-differences';
import { find, render } from './fixture';

test('the ConfigMap of the collector has no blank lines around the configuration', () => {
  const text = (config: string) =>
    (find(render({ collector: { config } }), 'ConfigMap', 'collector-config') as unknown as ConfigMap).data?.[
      'collector-config'
    ];
  expect(text('\n\nreceivers:\n\n  otlp:\n\n')).toBe('receivers:\n\n  otlp:\n');
  expect(text('')).toBe('');
});

test('the renderer of linkerd-jaeger keeps arguments of Jaeger as strings', () => {
  const args = ['--a', 'true', '1'];
  const deployment = find(render({ jaeger: { args } }), 'Deployment', 'jaeger') as unknown as Deployment;
  expect(deployment.spec?.template.spec?.containers[0]?.args).toEqual(args);
  const path = '/spec/template/spec/containers/0/args/1';
  expect(
    JAEGER_DIFFERENCES.some(
      (one) => new RegExp(one.object).test('apps/v1/Deployment/x/jaeger') && new RegExp(one.path).test(path),
    ),
  ).toBe(true);
});
