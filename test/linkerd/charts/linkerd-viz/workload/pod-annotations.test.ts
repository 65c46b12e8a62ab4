import type { Values } from '../../../../../lib/kubernetes/values';
import { podOf } from '../fixture';

const COMPONENTS = {
  metricsAPI: 'metrics-api',
  tap: 'tap',
  tapInjector: 'tap-injector',
  dashboard: 'web',
  prometheus: 'prometheus',
};

function proxyAnnotations(values: Values, component: string): Record<string, string> {
  const annotations = podOf(values, component).metadata?.annotations ?? {};
  return Object.fromEntries(
    Object.entries(annotations).flatMap(([key, value]) => {
      const [, name] = /^config\.linkerd\.io\/proxy-((?:cpu|memory).*)$/.exec(key) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
}

describe.each(Object.entries(COMPONENTS))('the proxy of %s', (key, component) => {
  test('gets its resources by annotations, those included that the chart prints on one line', () => {
    const resources = { cpu: { limit: 1, request: '50m' }, memory: { limit: '100Mi' } };
    expect(proxyAnnotations({ [key]: { proxy: { resources } } }, component)).toEqual({
      'cpu-request': '50m',
      'cpu-limit': '1',
      'memory-limit': '100Mi',
    });
  });

  test('has none that are empty', () => {
    const resources = { cpu: { limit: '', request: null }, memory: { request: '20Mi' } };
    expect(proxyAnnotations({ [key]: { proxy: { resources } } }, component)).toEqual({ 'memory-request': '20Mi' });
    expect(proxyAnnotations({ [key]: { proxy: {} } }, component)).toEqual({});
  });
});
