import { Clients } from '#lib/constructs/policy/clients';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { customResourceDefinition } from '../../support/cluster/crds';
import type { KubeObject } from '../../support/cluster/objects';
import { plainObjects } from '../../support/plain-app';
import { problemsOf } from '../meshing/fixture';
import { deployment, service, shop } from './fixture';

const KINDS = [
  'AuthorizationPolicy',
  'EgressNetwork',
  'HTTPLocalRateLimitPolicy',
  'HTTPRoute',
  'MeshTLSAuthentication',
  'NetworkAuthentication',
  'Server',
];

let cluster: Cluster;
let namespace: string;

beforeAll(async () => {
  cluster = await sharedCluster();
  namespace = await cluster.namespace('policy');
  await cluster.applyAll(KINDS.map((kind) => customResourceDefinition('policy.linkerd.io', kind)));
});

/** Returns policies of each kind that Meshing creates. */
function everything(): readonly KubeObject[] {
  const { chart, meshing } = shop();
  const api = deployment(chart, 'api', {
    container: { livenessProbe: { httpGet: { path: '/health', port: 'http' } } },
  });
  meshing.defaultDeny('shop', { scrapers: [Clients.serviceAccount({ namespace: 'monitoring', name: 'prometheus' })] });
  meshing.allow(service(chart, 'api'), {
    from: [deployment(chart, 'web'), Clients.mesh(), Clients.networks({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] })],
  });
  meshing.allow(api, {
    from: [Clients.namespace('jobs'), Clients.elsewhere({ trustDomain: 'west.example.com', namespace: 'shop' })],
    requests: [{ path: '/' }, { method: 'GET', pathPrefix: '/items' }],
    probePaths: ['/health/'],
    protocol: 'HTTP/1',
  });
  meshing.limitRequests(api, { total: 100, perClient: 20, overrides: [{ clients: [api], perClient: 50 }] });
  meshing.egress('shop', {
    mode: 'deny',
    networks: [{ cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] }],
    to: [{ hosts: ['plain.example.com'], protocol: 'HTTP', requests: [{ method: 'GET', pathPrefix: '/a' }] }],
  });
  expect(problemsOf(chart)).toEqual([]);
  const objects = plainObjects(chart) as KubeObject[];
  return objects.filter(({ apiVersion }) => apiVersion.startsWith('policy.linkerd.io/'));
}

test('an API server accepts all policies without a warning about unknown fields', async () => {
  const objects = everything();
  expect([...new Set(objects.map(({ kind }) => kind))].toSorted()).toEqual(KINDS);
  for (const object of objects) {
    const placed = { ...object, metadata: { ...object.metadata, namespace } };
    expect((await cluster.apply(placed)).spec).toMatchObject(object.spec as object);
  }
});
