import { Prometheus } from '../../lib/viz/prometheus';
import { vizProvides } from '../../lib/viz/viz-objects';

test('Prometheus’ Service exists only where Viz brings one', () => {
  const service = { kind: 'Service', namespace: 'linkerd-viz', name: 'prometheus' };
  expect(vizProvides('linkerd-viz', Prometheus.embedded())).toContainEqual(service);
  const external = vizProvides('linkerd-viz', Prometheus.external({ url: 'http://p' }));
  expect(external).not.toContainEqual(service);
  expect(external).toContainEqual({ kind: 'Service', namespace: 'linkerd-viz', name: 'web' });
  expect(external).toContainEqual({ kind: 'ServiceAccount', namespace: 'linkerd-viz', name: 'tap' });
});
