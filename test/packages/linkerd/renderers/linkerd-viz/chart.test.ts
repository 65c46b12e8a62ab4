import { mergeValues } from '#base/values';
import { Prometheus, prometheusValues } from '#lib/constructs/viz/prometheus';
import { releaseOf } from '#linkerd/releases/release';
import { vizChart } from '#linkerd/renderers/linkerd-viz/chart';

const chart = vizChart(releaseOf('edge-26.8.3'));
const provided = (prometheus: Prometheus) =>
  chart.provides(mergeValues(chart.defaults, prometheusValues(prometheus)), 'linkerd-viz');

test('linkerd-viz provides the Service of Prometheus only if Prometheus is embedded', () => {
  const service = { kind: 'Service', namespace: 'linkerd-viz', name: 'prometheus' };
  expect(provided(Prometheus.embedded())).toContainEqual(service);
  const external = provided(Prometheus.fromUrl({ url: 'http://p' }));
  expect(external).not.toContainEqual(service);
  expect(external).toContainEqual({ kind: 'Service', namespace: 'linkerd-viz', name: 'web' });
  expect(external).toContainEqual({ kind: 'ServiceAccount', namespace: 'linkerd-viz', name: 'tap' });
});
