import { ApiObject, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Cluster } from '#lib/gitops/tree/cluster';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { EDGE, mesh, problemsOf } from './fixture';

describe('namespace', () => {
  test('makes the namespace, with what its pods have different', () => {
    const { chart, meshing } = mesh();
    const namespace = meshing.namespace('monitoring', { proxy: { logLevel: 'info' } });
    expect(namespace.toJson()).toMatchObject({
      kind: 'Namespace',
      metadata: {
        name: 'monitoring',
        annotations: { 'linkerd.io/inject': 'enabled', 'config.linkerd.io/proxy-log-level': 'info' },
      },
    });
    expect(problemsOf(chart)).toEqual([]);
  });

  test('adds to a namespace that there is', () => {
    const { chart, meshing } = mesh();
    const namespace = ensureNamespace(chart, 'shop', { labels: { team: 'a' } });
    expect(meshing.namespace('shop')).toBe(namespace);
    expect(namespace.toJson().metadata.labels).toEqual({ team: 'a' });
  });

  test('that is to be in the mesh and out of it is a problem', () => {
    const { chart, meshing } = mesh();
    meshing.namespace('shop');
    meshing.excludeNamespace('shop');
    expect(ruleFindingsIn(chart)).toMatchObject([
      {
        code: 'namespace-metadata-contested',
        parameters: { namespace: 'shop', key: 'linkerd.io/inject', value: 'disabled', other: 'enabled' },
      },
    ]);
  });

  test('that the injector does not see is a problem', () => {
    const { chart, meshing } = mesh();
    meshing.namespace('kube-system');
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'namespace-never-injected', parameters: { workload: 'Namespace kube-system' } },
    ]);
  });

  test('with a bad configuration is a problem', () => {
    const { chart, meshing } = mesh();
    meshing.namespace('shop', { skipOutboundPorts: [0] });
    expect(problemsOf(chart)).toEqual([expect.stringContaining('skipOutboundPorts[0] is 0')]);
  });
});

describe('opaquePorts', () => {
  const service = (chart: ConstructorParameters<typeof kplus.Service>[0]) =>
    new kplus.Service(chart, 'db', {
      ports: [
        { port: 3306, name: 'w' },
        { port: 3307, name: 'x' },
      ],
    });

  test('of a Service of cdk8s-plus', () => {
    const { chart, meshing } = mesh();
    meshing.opaquePorts(service(chart), ['3306-3307']);
    expect(plainObjects(chart)[0].metadata.annotations).toEqual({ 'config.linkerd.io/opaque-ports': '3306-3307' });
    expect(problemsOf(chart)).toEqual([]);
  });

  test('of a plain Service', () => {
    const { chart, meshing } = mesh();
    const plain = new ApiObject(chart, 'db', { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 25 }] } });
    meshing.opaquePorts(plain, [25]);
    expect(plain.toJson().metadata.annotations).toEqual({ 'config.linkerd.io/opaque-ports': '25' });
    expect(problemsOf(chart)).toEqual([]);
  });

  test('that the Service does not have are a problem', () => {
    const { chart, meshing } = mesh();
    meshing.opaquePorts(service(chart), [3306, 33060, '1-9']);
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'opaque-ports-refused', parameters: { port: '33060', service: expect.stringContaining('shop-db') } },
      { code: 'opaque-ports-refused', parameters: { port: '1-9', ports: '3306, 3307' } },
    ]);
  });

  test('that are no ports are a problem', () => {
    const { chart, meshing } = mesh();
    meshing.opaquePorts(service(chart), [3306, 0]);
    expect(problemsOf(chart)).toContainEqual(expect.stringContaining('opaquePorts[1] is 0'));
  });

  test('of anything else are a problem', () => {
    const { chart, meshing } = mesh();
    meshing.opaquePorts(new kplus.ConfigMap(chart, 'db'), []);
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'opaque-ports-refused', parameters: { object: expect.stringContaining('ConfigMap') } },
    ]);
  });

  test('twice, and different, are a problem', () => {
    const { chart, meshing } = mesh();
    const target = service(chart);
    meshing.opaquePorts(target, [3306]);
    meshing.opaquePorts(target, [3307]);
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'annotation-contested', parameters: { existing: '3306' } }]);
  });
});

describe('podAnnotations', () => {
  test('are plain annotations, for values of charts', () => {
    const { meshing } = mesh();
    expect(meshing.podAnnotations({ opaquePorts: [25] })).toEqual({
      'linkerd.io/inject': 'enabled',
      'config.linkerd.io/opaque-ports': '25',
    });
  });

  test('of another mode', () =>
    expect(mesh().meshing.podAnnotations({}, 'disabled')).toEqual({ 'linkerd.io/inject': 'disabled' }));

  test('of a bad configuration are a problem', () => {
    const { chart, meshing } = mesh();
    meshing.podAnnotations({ opaquePorts: [0] });
    expect(problemsOf(chart)).toEqual([expect.stringContaining('opaquePorts[0] is 0')]);
  });
});

test('works in a Cluster', () => {
  const cluster = new Cluster(Testing.app(), 'home');
  const meshing = new Meshing(cluster, 'meshing', { controlPlane: EDGE });
  meshing.inject(new kplus.Deployment(cluster, 'web', { containers: [{ image: 'web:1' }] }));
  meshing.namespace('shop');
  expect(problemsOf(cluster)).toEqual([]);
});
