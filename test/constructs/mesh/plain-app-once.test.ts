import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { LinkerdMesh, Meshing } from '#lib';
import { RULE, type Rule } from '#lib/gitops/tree/read-tree';

/** An App with a mesh in one chart, and a meshed namespace in another. */
function meshInTwoCharts(): App {
  const app = new App({ outdir: Testing.app().outdir });
  const [chart, other] = [new Chart(app, 'mesh'), new Chart(app, 'other')];
  const mesh = new LinkerdMesh(chart, 'linkerd', {
    monitoring: { namespace: 'monitoring' },
    crds: { gatewayApi: 'install' },
  });
  new Meshing(other, 'meshing', { controlPlane: mesh.controlPlane }).namespace('shop');
  return app;
}

test('App.synth runs no rule twice in a plain App with a whole mesh', () => {
  const app = meshInTwoCharts();
  const runs = app.node
    .findAll()
    .flatMap((construct) =>
      construct.node.metadata
        .filter(({ type }) => type === RULE)
        .map((entry) => ({ construct, run: jest.spyOn(entry as { data: Rule }, 'data') })),
    );
  app.synth();
  expect(runs.length).toBeGreaterThan(20);
  const others = runs.filter(({ run }) => run.mock.calls.length !== 1);
  expect(others.map(({ construct }) => construct.node.path)).toEqual([]);
});

test('App.synth reads no object more than twice in a plain App with a whole mesh', () => {
  const reads = new Map<ApiObject, number>();
  const { toJson } = ApiObject.prototype;
  const spy = jest.spyOn(ApiObject.prototype, 'toJson').mockImplementation(function (this: ApiObject) {
    reads.set(this, (reads.get(this) ?? 0) + 1);
    return toJson.call(this);
  });
  meshInTwoCharts().synth();
  spy.mockRestore();
  expect(reads.size).toBeGreaterThan(100);
  expect([...reads].filter(([, count]) => count > 2).map(([object]) => object.node.path)).toEqual([]);
});
