import { extensionNamespace } from '../../../lib/constructs/control-plane/namespaces';

test('what the guide writes, and what the chart’s job would add', () => {
  expect(extensionNamespace({ extension: 'viz', cni: false })).toEqual({
    labels: { 'linkerd.io/extension': 'viz', 'pod-security.kubernetes.io/enforce': 'privileged' },
    annotations: { 'linkerd.io/inject': 'enabled', 'config.linkerd.io/proxy-await': 'enabled' },
  });
});

test('with the CNI plugin no pod needs privileges', () => {
  expect(extensionNamespace({ extension: 'jaeger', cni: true }).labels).toEqual({
    'linkerd.io/extension': 'jaeger',
    'pod-security.kubernetes.io/enforce': 'restricted',
  });
});

test('linkerd check is told of an external Prometheus', () => {
  const { annotations } = extensionNamespace({ extension: 'viz', cni: false, externalPrometheus: 'http://p:9090' });
  expect(annotations?.['viz.linkerd.io/external-prometheus']).toBe('http://p:9090');
});
