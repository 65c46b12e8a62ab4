import { ApiObject } from 'cdk8s';
import { LinkerdMesh, Meshing, Prometheus, Viz } from '#lib';
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

/** The finding about an option that does not exist, with the name of the option that was probably meant. */
const unknown = (path: string, option: string, meant?: string) => ({
  path,
  code: 'option-unknown',
  parameters: expect.objectContaining({ path: option, ...(meant !== undefined && { meant }) }),
});

const PROXY = "proxy: { cpu: { request: '100m', limit: '1' }, memory: { request: '64Mi', limit: '250Mi' } }";

test.each<[what: string, build: Build, expected: object]>([
  ['a prop', viz({ highAvailabilty: true }), unknown('home/viz', 'highAvailabilty', 'highAvailability')],
  ['a prop of a mesh', whole({ highAvailabilty: true }), unknown('home/mesh', 'highAvailabilty', 'highAvailability')],
  ['a part of a mesh', whole({ viz: { grafna: 1 } }), unknown('home/mesh', 'viz.grafna', 'viz.grafana')],
  ['what stands further down', whole({ gatewayApi: 'install' }), unknown('home/mesh', 'gatewayApi', 'crds.gatewayApi')],
  ["what follows from the mesh's own", whole({ viz: { controlPlane: 1 } }), unknown('home/mesh', 'viz.controlPlane')],
  [
    'resources as Kubernetes has them',
    viz({ prometheus: Prometheus.embedded(untyped({ resources: { requests: { cpu: '1' } } })) }),
    unknown('home/viz', 'prometheus.resources.requests', "cpu: { request: '100m' }, memory: { request: '250Mi' }"),
  ],
  [
    'resources of a workload',
    meshing((of, pod) => of.inject(pod, untyped({ proxy: { resources: { requests: { cpu: '1' } } } }))),
    unknown('home/web', 'proxy.resources', PROXY),
  ],
  [
    'resources of a namespace',
    meshing((of) => void of.namespace('shop', untyped({ proxy: { resources: {} } }))),
    unknown('home/meshing', 'proxy.resources', PROXY),
  ],
  [
    'an exclusion',
    meshing((of, pod) => of.exclude(pod, untyped({ podMetdata: '/spec' }))),
    unknown('home/web', 'podMetdata', 'podMetadata'),
  ],
])('synth refuses a misspelt option: %s', (_, build, expected) => expect(refused(build)).toMatchObject([expected]));

test.each<[what: string, attempt: Attempt, expected: object]>([
  ['a cluster', { cluster: untyped({ ringg: 'a' }) }, unknown('home', 'ringg', 'ring')],
  [
    "a cluster's address",
    { cluster: untyped({ destination: { nam: 'home' } }) },
    unknown('home', 'destination.nam', 'destination.name'),
  ],
  ['a platform', { props: untyped({ argcd: {} }) }, unknown('platform', 'argcd', 'argocd')],
  [
    'a retry',
    { props: untyped({ argocd: { retry: { limits: 1 } } }) },
    unknown('platform', 'argocd.retry.limits', 'argocd.retry.limit'),
  ],
  [
    'a ring',
    { props: untyped({ rings: [{ name: 'a', revison: 'b' }] }), cluster: { ring: 'a' } as never },
    unknown('platform', 'rings[0].revison', 'rings[0].revision'),
  ],
])('synth refuses a misspelt option: %s', (_, attempt, expected) => {
  expect(refused((cluster) => void mesh(cluster), attempt)).toContainEqual(expect.objectContaining(expected));
});

test('synth reports a missing part at its construct', () => {
  expect(refused((cluster) => new Viz(cluster, 'viz', untyped({ contolPlane: {} })))).toMatchObject([
    { path: 'home/viz', code: 'part-missing', parameters: { path: 'controlPlane', value: 'undefined' } },
    unknown('home/viz', 'contolPlane', 'controlPlane'),
  ]);
});

test('synth refuses a mesh in place of its control plane, and names the part to pass', () => {
  const swapped: Build = (cluster) => {
    new Viz(cluster, 'viz', untyped({ controlPlane: new LinkerdMesh(cluster, 'mesh') }));
  };
  expect(refused(swapped)).toMatchObject([
    {
      path: 'home/viz',
      code: 'part-missing',
      cause: 'member',
      parameters: { path: 'controlPlane', member: 'controlPlane' },
    },
  ]);
});

test('a class instance with getters may serve as props, and may have members that are no props', () => {
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
