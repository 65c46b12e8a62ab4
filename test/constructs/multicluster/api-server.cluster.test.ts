import { parse } from 'yaml';
import { type OwnCluster, startCluster } from '../../support/cluster/cluster';
import { definitionsOf } from '../../support/cluster/dist-manifests';
import type { KubeObject } from '../../support/cluster/objects';
import { fleet } from './fleet';

/** Returns all objects of the extension in an order in which they can be applied. */
function objectsOf(folder: ReadonlyMap<string, string>): readonly KubeObject[] {
  const phase = ({ kind }: KubeObject) => (kind === 'Namespace' ? 0 : kind === 'CustomResourceDefinition' ? 1 : 2);
  return [...folder]
    .filter(([file]) => file.startsWith('linkerd-multicluster/') && file.endsWith('.yaml'))
    .map(([, text]) => parse(text) as KubeObject)
    .sort((one, other) => phase(one) - phase(other));
}

const clusters = fleet({
  east: {
    multicluster: {
      highAvailability: true,
      scraper: { namespace: 'monitoring', name: 'prometheus' },
      gateway: { addresses: ['gw.east.example.com'], nodePorts: { gateway: 30443, probe: 30491 } },
    },
    props: { external: [{ kind: 'ServiceAccount', namespace: 'monitoring', name: 'prometheus' }] },
    links: { west: { headlessServices: true, controller: { replicas: 2 } }, north: { gateway: false } },
  },
  west: {},
  north: { version: 'edge-25.10.7', links: { east: { remoteDiscovery: false } } },
});

describe('an API server with strict validation of fields', () => {
  let cluster: OwnCluster;

  beforeAll(async () => {
    // Controllers would write statuses, and so change resource versions.
    cluster = await startCluster({ controllers: false });
  });

  afterAll(() => cluster?.stop());

  test.each(['east', 'north'])('accepts all objects of %s, and changes none at a second apply', async (name) => {
    expect(clusters.errors(name)).toEqual([]);
    const objects = objectsOf(clusters.files(name));
    expect(objects.length).toBeGreaterThan(20);
    // `objects` already contains the CRD of Link.
    const definitions = definitionsOf(objects).filter(
      ({ metadata }) => metadata.name !== 'links.multicluster.linkerd.io',
    );
    await Promise.all(definitions.map((definition) => cluster.apply(definition)));
    const options = { fieldManager: 'argocd-controller', force: true };
    for (const object of objects) {
      await cluster.eventually(() => cluster.apply(object, options));
      const stored = await cluster.get(object);
      expect(await cluster.apply(object, options)).toEqual(stored);
    }
  });

  test('stores all fields of Links', async () => {
    const link = { apiVersion: 'multicluster.linkerd.io/v1alpha3', kind: 'Link' };
    const stored = await cluster.get({ ...link, metadata: { name: 'west', namespace: 'linkerd-multicluster' } });
    expect(stored.spec).toEqual(clusters.link('east', 'west'));
  });
});
