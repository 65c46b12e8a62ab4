import { veleroValues } from '#lib/constructs/recipes/velero';
import { mesh, problemsOf } from '../meshing/fixture';

test('the recipe for Velero injects the server and the node agents', () =>
  expect(veleroValues(mesh().meshing, { proxy: { logLevel: 'info' } })).toEqual({
    podAnnotations: { 'linkerd.io/inject': 'enabled', 'config.linkerd.io/proxy-log-level': 'info' },
  }));

test('the recipe for Velero refuses an invalid configuration', () => {
  const { chart, meshing } = mesh();
  veleroValues(meshing, { opaquePorts: [0] });
  expect(problemsOf(chart)).toHaveLength(1);
});
