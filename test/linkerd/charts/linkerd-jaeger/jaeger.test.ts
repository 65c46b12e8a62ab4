import type { ConfigMap, Deployment } from '../../../../imports/kubernetes';
import { JAEGER_DIFFERENCES } from '../../../../lib/linkerd/charts/linkerd-jaeger/intended-differences';
import { objectKey } from '../../../../tools/conformance/canonical';
import { chartValues, find, render, renderJaeger } from './fixture';

test('everything that has a namespace is in that of the release, or of the control plane', () => {
  const objects = render({ linkerdNamespace: 'mesh' }, 'traces');
  expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set([undefined, 'mesh', 'traces']));
  expect(objects.filter(({ metadata }) => metadata.namespace === 'mesh').map(({ kind }) => kind)).toEqual([
    'RoleBinding',
  ]);
});

test('only what is enabled is there', () => {
  const keys = render({ collector: { enabled: false }, jaeger: { enabled: false } }).map(objectKey);
  expect(keys.filter((key) => /collector|\/jaeger(?:-grpc|-admin|-ui)?$/.test(key))).toEqual([]);
  // The chart has the policies on Jaeger with the collector.
  expect(find(render({ jaeger: { enabled: false } }), 'Server', 'jaeger-grpc')).toBeDefined();
  expect(find(render({ collector: { enabled: false } }), 'Server', 'jaeger-grpc')).toBeUndefined();
});

test('the collector gets its configuration without blank lines around it', () => {
  const text = (config: string) =>
    (find(render({ collector: { config } }), 'ConfigMap', 'collector-config') as unknown as ConfigMap).data?.[
      'collector-config'
    ];
  expect(text('\n\nreceivers:\n\n  otlp:\n\n')).toBe('receivers:\n\n  otlp:\n');
  expect(text('')).toBe('');
});

test('arguments of Jaeger are texts, whatever they read as', () => {
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

test('common labels are on everything but the one Server on which the chart forgets them', () => {
  const without = render({ commonLabels: { team: 'mesh' } }).filter(({ metadata }) => metadata.labels?.team !== 'mesh');
  expect(without.map(objectKey)).toEqual(['policy.linkerd.io/v1beta1/Server/linkerd-jaeger/collector-otlp-http']);
});

test('values are not changed, and the same ones give the same objects', () => {
  const values = chartValues();
  const before = JSON.stringify(values);
  const objects = JSON.stringify(renderJaeger(values, { namespace: 'linkerd-jaeger' }));
  expect(JSON.stringify(renderJaeger(values, { namespace: 'linkerd-jaeger' }))).toBe(objects);
  expect(JSON.stringify(values)).toBe(before);
});
