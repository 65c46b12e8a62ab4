import { ApiObject } from 'cdk8s';
import { LinkerdMesh, Meshing, Prometheus, Viz } from '../../lib';
import { type Attempt, type Build, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

const untyped = (value: unknown) => value as never;

function viz(props: object): Build {
  return (cluster) => {
    const { controlPlane } = mesh(cluster);
    new Viz(cluster, 'viz', untyped({ controlPlane, ...props }));
  };
}

function whole(props: object): Build {
  return (cluster) =>
    void new LinkerdMesh(cluster, 'mesh', untyped({ monitoring: { namespace: 'monitoring' }, ...props }));
}

function meshing(use: (meshing: Meshing, target: ApiObject) => void): Build {
  return (cluster) => {
    const { controlPlane } = mesh(cluster);
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default' },
      spec: { containers: [{ name: 'web', image: 'web' }] },
    };
    use(new Meshing(cluster, 'meshing', { controlPlane }), new ApiObject(cluster, 'web', pod));
  };
}

const PROXY = "write proxy: { cpu: { request: '100m', limit: '1' }, memory: { request: '64Mi', limit: '250Mi' } }";

test.each<[what: string, build: Build, path: string, says: string]>([
  ['a prop', viz({ highAvailabilty: true }), 'home/viz', 'Fix: write highAvailability.'],
  ['a prop of a mesh', whole({ highAvailabilty: true }), 'home/mesh', 'Fix: write highAvailability.'],
  ['a part of a mesh', whole({ viz: { grafna: 1 } }), 'home/mesh', 'Fix: write viz.grafana.'],
  ['what stands further down', whole({ gatewayApi: 'install' }), 'home/mesh', 'Fix: write crds.gatewayApi.'],
  ["what follows from the mesh's own", whole({ viz: { controlPlane: 1 } }), 'home/mesh', 'viz.controlPlane is not'],
  [
    'resources as Kubernetes has them',
    viz({ prometheus: Prometheus.embedded(untyped({ resources: { requests: { cpu: '1' } } })) }),
    'home/viz',
    "Fix: write cpu: { request: '100m' }, memory: { request: '250Mi' }.",
  ],
  [
    'resources of a workload',
    meshing((of, pod) => of.inject(pod, untyped({ proxy: { resources: { requests: { cpu: '1' } } } }))),
    'home/web',
    `proxy.resources is not a known option. It has no effect: everything is built as if it were absent. Fix: ${PROXY}.`,
  ],
  [
    'resources of a namespace',
    meshing((of) => void of.namespace('shop', untyped({ proxy: { resources: {} } }))),
    'home/meshing',
    `Fix: ${PROXY}.`,
  ],
  [
    'an exclusion',
    meshing((of, pod) => of.exclude(pod, untyped({ podMetdata: '/spec' }))),
    'home/web',
    'Fix: write podMetadata.',
  ],
])('a misspelt option is refused: %s', (_, build, path, says) => {
  expect(refused(build)).toMatchObject([{ path, message: expect.stringContaining(says) }]);
});

test.each<[what: string, attempt: Attempt, path: string, says: string]>([
  ['a cluster', { cluster: untyped({ ringg: 'a' }) }, 'home', 'ringg is not a known option.'],
  [
    "a cluster's address",
    { cluster: untyped({ destination: { nam: 'home' } }) },
    'home',
    'Fix: write destination.name.',
  ],
  ['a platform', { props: untyped({ argcd: {} }) }, 'platform', 'Fix: write argocd.'],
  ['a retry', { props: untyped({ argocd: { retry: { limits: 1 } } }) }, 'platform', 'Fix: write argocd.retry.limit.'],
  [
    'a ring',
    { props: untyped({ rings: [{ name: 'a', revison: 'b' }] }), cluster: { ring: 'a' } as never },
    'platform',
    'Fix: write rings[0].revision.',
  ],
])('a misspelt option is refused: %s', (_, attempt, path, says) => {
  expect(refused((cluster) => void mesh(cluster), attempt)).toContainEqual(
    expect.objectContaining({ path, message: expect.stringContaining(says) }),
  );
});

test('a missing part is a finding of its construct', () => {
  expect(refused((cluster) => new Viz(cluster, 'viz', untyped({ contolPlane: {} })))).toMatchObject([
    { path: 'home/viz', message: expect.stringMatching(/^controlPlane is undefined, not a LinkerdControlPlane\./) },
    { path: 'home/viz', message: expect.stringMatching(/Fix: write controlPlane\.$/) },
  ]);
});

test('instances with getters are props, and what else they hold is their own', () => {
  class Settings {
    readonly team = 'shop';
    readonly monitoring = Object.create({ namespace: 'monitoring' }) as { namespace: string };
    get highAvailability() {
      return false;
    }
  }
  const available: boolean[] = [];
  const build: Build = (cluster) => {
    available.push(new LinkerdMesh(cluster, 'mesh', new Settings()).controlPlane.highAvailability);
  };
  expect(refused(build)).toEqual([]);
  expect(available).toEqual([false]);
});
