import { veleroValues } from '#lib/constructs/recipes/velero';
import { mesh, problemsOf } from '../meshing/fixture';

test('the pods of the server and of the node agents are injected', () =>
  expect(veleroValues(mesh().meshing, { proxy: { logLevel: 'info' } })).toEqual({
    podAnnotations: { 'linkerd.io/inject': 'enabled', 'config.linkerd.io/proxy-log-level': 'info' },
  }));

test('a bad configuration is a problem', () => {
  const { chart, meshing } = mesh();
  veleroValues(meshing, { opaquePorts: [0] });
  expect(problemsOf(chart)).toHaveLength(1);
});
