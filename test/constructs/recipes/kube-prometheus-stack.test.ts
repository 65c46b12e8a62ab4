import { kubePrometheusStackValues } from '#lib/constructs/recipes/kube-prometheus-stack';
import { mesh, problemsOf, STABLE } from '../meshing/fixture';

test('the recipe for kube-prometheus-stack excludes the jobs that make certificates', () =>
  expect(kubePrometheusStackValues(mesh().meshing)).toEqual({
    prometheusOperator: { admissionWebhooks: { patch: { podAnnotations: { 'linkerd.io/inject': 'disabled' } } } },
  }));

test.each([
  [{}, 'monitoring'],
  [{ namespace: 'metrics' }, 'metrics'],
])('the recipe for kube-prometheus-stack does not change the injection of other pods: %j', (props, name) => {
  const { chart, meshing } = mesh(STABLE);
  kubePrometheusStackValues(meshing, { ...props, config: { opaquePorts: [] } });
  const namespace = meshing.namespace(name);
  expect(namespace.toJson().metadata.annotations).toMatchObject({
    'linkerd.io/inject': 'enabled',
    'config.linkerd.io/opaque-ports': '',
  });
  expect(problemsOf(chart)).toEqual([]);
});
