import { ApiObject, Duration } from 'cdk8s';
import { LinkerdControlPlane, Meshing } from '#lib';
import { type Build, byHand, exactly, MeshOnDemand, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

const LABELS = { app: 'web' };
const deployment = (annotations: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS, annotations: { 'linkerd.io/inject': 'enabled', ...annotations } },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    },
  },
});
const closeWait = { proxy: { closeWaitTimeout: Duration.seconds(30) } };

test('synth refuses a timeout without effect once, at the workload that a construct gives it', () => {
  const build: Build = (cluster) => {
    const meshing = new Meshing(cluster, 'meshing', { controlPlane: mesh(cluster).controlPlane });
    meshing.namespace('shop');
    meshing.inject(new ApiObject(cluster, 'web', deployment()), closeWait);
  };
  expect(refused(build)).toEqual(exactly({ at: 'home/web', code: 'setting-refused', cause: 'close-wait-timeout' }));
});

test('synth refuses equal ports of a namespace once, at the Namespace', () => {
  const build: Build = (cluster) =>
    new Meshing(cluster, 'meshing', { controlPlane: mesh(cluster).controlPlane }).namespace('shop', {
      proxy: { ports: { admin: 4190 } },
    });
  expect(refused(build)).toEqual(
    exactly({ at: 'home/namespace-shop', code: 'injected-value-refused', cause: 'ports-equal' }),
  );
});

test('synth refuses a timeout in annotations that a user writes', () => {
  const build: Build = (cluster) => {
    const { controlPlane } = mesh(cluster);
    new Meshing(cluster, 'meshing', { controlPlane }).namespace('shop');
    byHand(cluster, [controlPlane], deployment({ 'config.linkerd.io/close-wait-timeout': '30s' }));
  };
  expect(refused(build)).toEqual(
    exactly({ at: 'home/own/Deployment', code: 'setting-refused', cause: 'close-wait-timeout' }),
  );
});

describe('clusters that differ only in the values of an existing control plane', () => {
  const existing =
    (values: object): Build =>
    (cluster) => {
      const { pki } = new MeshOnDemand(cluster);
      const controlPlane = LinkerdControlPlane.fromExisting(cluster, 'existing', { pki, values: values as never });
      new Meshing(cluster, 'meshing', { controlPlane }).namespace('shop');
      byHand(cluster, [controlPlane], deployment({ 'config.linkerd.io/close-wait-timeout': '30s' }));
    };
  const root = { proxyInit: { runAsRoot: true } };

  test.each<[string, object, object, readonly string[]]>([
    ['the first', {}, root, ['home/own/Deployment']],
    ['the second', root, {}, ['west/own/Deployment']],
  ])('have their own problems: %s', (_, home, west, paths) => {
    const problems = refused(existing(home), { others: { west: existing(west) } });
    const found = problems.filter(({ cause }) => cause === 'close-wait-timeout');
    expect(found.map(({ path }) => path)).toEqual(paths);
  });
});
