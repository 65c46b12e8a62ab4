import type { Meshing } from '#lib/constructs/meshing/meshing';
import { LonghornMesh, type LonghornMeshProps, longhornValues } from '#lib/constructs/recipes/longhorn';
import { declarationsOf } from '#lib/gitops/tree/references';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { mesh, problemsOf } from '../meshing/fixture';

const longhorn = (props: Omit<LonghornMeshProps, 'meshing'> = {}) => {
  const { chart, meshing } = mesh();
  const construct = new LonghornMesh(chart, 'longhorn', { meshing, ...props });
  const [manager, ui] = plainObjects(chart);
  return { chart, construct, manager, ui };
};

const inject = { 'linkerd.io/inject': 'enabled' };

test('the recipe for Longhorn can keep the listen address of the manager', () =>
  expect(longhorn({ listenOnAllAddresses: false }).manager.spec.template).toEqual({
    metadata: { annotations: inject },
  }));

test('the recipe for Longhorn has options for namespace and configuration', () => {
  const { ui, manager } = longhorn({ namespace: 'storage', config: { proxy: { logLevel: 'info' } } });
  expect(manager.metadata.namespace).toBe('storage');
  expect(ui.spec.template.metadata.annotations['config.linkerd.io/proxy-log-level']).toBe('info');
});

test('the recipe for Longhorn uses an external namespace', () => {
  const { construct } = longhorn();
  expect(declarationsOf(construct)).toEqual([{ external: [{ kind: 'Namespace', name: 'longhorn-system' }] }]);
});

test('the recipe for Longhorn refuses an invalid name of a namespace', () => {
  const { chart, meshing } = mesh();
  new LonghornMesh(chart, 'longhorn', { meshing, namespace: 'Long Horn' });
  expect(problemsOf(chart)).toEqual([expect.stringContaining('namespace is "Long Horn"')]);
});

test('the recipe for Longhorn annotates the manager by values of the chart', () =>
  expect(longhornValues(mesh().meshing, { config: { opaquePorts: [9500] } })).toEqual({
    annotations: { ...inject, 'config.linkerd.io/opaque-ports': '9500' },
  }));

test.each([
  ['LonghornMesh', (meshing: Meshing) => new LonghornMesh(meshing, 'longhorn', { meshing })],
  ['longhornValues', (meshing: Meshing) => longhornValues(meshing)],
])('the recipe for Longhorn, with %s, refuses to inject engines and replicas', (_, make) => {
  const { chart, meshing } = mesh();
  make(meshing);
  expect(problemsOf(chart)).toEqual([]);
  meshing.namespace('longhorn-system');
  expect(ruleFindingsIn(chart)).toMatchObject([
    { code: 'namespace-meshed', parameters: { namespace: 'longhorn-system', annotation: 'linkerd.io/inject' } },
  ]);
});
