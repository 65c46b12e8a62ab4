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

/** The expected finding about an unknown option, with the option that synth suggests. */
const unknown = (path: string, option: string, meant?: string) => ({
  path,
  code: 'option-unknown',
  parameters: expect.objectContaining({ path: option, ...(meant !== undefined && { meant }) }),
});

const PROXY = "proxy: { cpu: { request: '100m', limit: '1' }, memory: { request: '64Mi', limit: '250Mi' } }";

test.each<[what: string, build: Build, expected: object]>([
  ['a prop of Viz', viz({ highAvailabilty: true }), unknown('home/viz', 'highAvailabilty', 'highAvailability')],
  ['a prop of a mesh', whole({ highAvailabilty: true }), unknown('home/mesh', 'highAvailabilty', 'highAvailability')],
  ['a part of a mesh', whole({ viz: { grafna: 1 } }), unknown('home/mesh', 'viz.grafna', 'viz.grafana')],
  ['a misplaced option', whole({ gatewayApi: 'install' }), unknown('home/mesh', 'gatewayApi', 'crds.gatewayApi')],
  ['an option that the mesh sets', whole({ viz: { controlPlane: 1 } }), unknown('home/mesh', 'viz.controlPlane')],
  [
    'resources in the notation of Kubernetes',
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
    unknown('home/namespace-shop', 'proxy.resources', PROXY),
  ],
  [
    'an option of exclude',
    meshing((of, pod) => of.exclude(pod, untyped({ podMetdata: '/spec' }))),
    unknown('home/web', 'podMetdata', 'podMetadata'),
  ],
])('synth refuses an unknown option: %s', (_, build, expected) => expect(refused(build)).toMatchObject([expected]));

test.each<[what: string, attempt: Attempt, expected: object]>([
  ['a prop of a cluster', { cluster: untyped({ ringg: 'a' }) }, unknown('home', 'ringg', 'ring')],
  [
    'an option of a destination',
    { cluster: untyped({ destination: { nam: 'home' } }) },
    unknown('home', 'destination.nam', 'destination.name'),
  ],
  ['a prop of a platform', { props: untyped({ argcd: {} }) }, unknown('platform', 'argcd', 'argocd')],
  [
    'an option of retry',
    { props: untyped({ argocd: { retry: { limits: 1 } } }) },
    unknown('platform', 'argocd.retry.limits', 'argocd.retry.limit'),
  ],
  [
    'an option of a ring',
    { props: untyped({ rings: [{ name: 'a', revison: 'b' }] }), cluster: { ring: 'a' } as never },
    unknown('platform', 'rings[0].revison', 'rings[0].revision'),
  ],
])('synth refuses an unknown option: %s', (_, attempt, expected) => {
  expect(refused((cluster) => void mesh(cluster), attempt)).toContainEqual(expect.objectContaining(expected));
});

test('synth reports a missing part at the construct that requires it', () => {
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

test('synth accepts a class instance with getters and further members as props', () => {
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
