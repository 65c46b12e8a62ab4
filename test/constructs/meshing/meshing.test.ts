import { ApiObject } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { mesh, problemsOf } from './fixture';

describe('namespace', () => {
  test('creates the namespace with the configuration of its pods', () => {
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

  test('adds annotations to an existing namespace', () => {
    const { chart, meshing } = mesh();
    const namespace = ensureNamespace(chart, 'shop', { labels: { team: 'a' } });
    expect(meshing.namespace('shop')).toBe(namespace);
    expect(namespace.toJson().metadata.labels).toEqual({ team: 'a' });
  });

  test('refuses a namespace both in the mesh and out of it', () => {
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
});

describe('opaquePorts', () => {
  const service = (chart: ConstructorParameters<typeof kplus.Service>[0]) =>
    new kplus.Service(chart, 'db', {
      ports: [
        { port: 3306, name: 'w' },
        { port: 3307, name: 'x' },
      ],
    });

  test('annotates a Service, plain or of cdk8s-plus', () => {
    const { chart, meshing } = mesh();
    const plain = new ApiObject(chart, 'plain', { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 25 }] } });
    meshing.opaquePorts(plain, [25]);
    meshing.opaquePorts(service(chart), ['3306-3307']);
    const annotations = plainObjects(chart).map(({ metadata }) => metadata.annotations);
    expect(annotations.map((one) => one['config.linkerd.io/opaque-ports'])).toEqual(['25', '3306-3307']);
    expect(problemsOf(chart)).toEqual([]);
  });

  test('refuses ports that the Service does not have', () => {
    const { chart, meshing } = mesh();
    meshing.opaquePorts(service(chart), [3306, 33060, '1-9']);
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'opaque-ports-refused', parameters: { port: '33060', service: expect.stringContaining('shop-db') } },
      { code: 'opaque-ports-refused', parameters: { port: '1-9', ports: '3306, 3307' } },
    ]);
  });

  test('refuses invalid ports', () => {
    const { chart, meshing } = mesh();
    meshing.opaquePorts(service(chart), [3306, 0]);
    expect(problemsOf(chart)).toContainEqual(expect.stringContaining('opaquePorts[1] is 0'));
  });

  test('refuses an object other than a Service', () => {
    const { chart, meshing } = mesh();
    meshing.opaquePorts(new kplus.ConfigMap(chart, 'db'), []);
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'opaque-ports-refused', parameters: { object: expect.stringContaining('ConfigMap') } },
    ]);
  });

  test('refuses two different lists for a Service', () => {
    const { chart, meshing } = mesh();
    const target = service(chart);
    meshing.opaquePorts(target, [3306]);
    meshing.opaquePorts(target, [3307]);
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'annotation-contested', parameters: { existing: '3306' } }]);
  });
});

describe('podAnnotations', () => {
  test('returns plain annotations for values of charts', () => {
    const { meshing } = mesh();
    expect(meshing.podAnnotations({ opaquePorts: [25] })).toEqual({
      'linkerd.io/inject': 'enabled',
      'config.linkerd.io/opaque-ports': '25',
    });
  });

  test('returns the annotation of the mode disabled', () =>
    expect(mesh().meshing.podAnnotations({}, 'disabled')).toEqual({ 'linkerd.io/inject': 'disabled' }));

  test('reports an invalid configuration', () => {
    const { chart, meshing } = mesh();
    meshing.podAnnotations({ opaquePorts: [0] });
    expect(problemsOf(chart)).toEqual([expect.stringContaining('opaquePorts[0] is 0')]);
  });
});
