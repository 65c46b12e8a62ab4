import { createInformerPool } from '#controller-runtime/cache/informer-pool';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { sharedCluster } from '#test/support/cluster/cluster';
import { ref } from '#test/support/cluster/objects';
import { memoryLog } from '#test/support/controller-runtime/memory-log';
import { closeConnection, connectionOf } from '#test/support/controller-runtime/test-connection';

const CONFIG_MAPS = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

test('a bounded informer has objects of its namespaces, even later ones, and none of deleted namespaces', async () => {
  const cluster = await sharedCluster();
  const [here, there] = [await cluster.namespace('here'), await cluster.namespace('there')];
  const later = here.replace('here', 'later');
  const connection = connectionOf(cluster.kubeconfig());
  const client = createKubeClient(connection, { fieldManager: 'test' });
  const pool = createInformerPool({ client, log: memoryLog().log, namespaces: [here, later] });
  const informer = pool.get<KubeObject>({ resource: CONFIG_MAPS, labelSelector: 'a=b' });
  expect(pool.get<KubeObject>({ resource: CONFIG_MAPS, labelSelector: 'a=b' })).toBe(informer);
  const changes: string[] = [];
  informer.onChange(({ type, object: { metadata } }) => changes.push(`${type} ${metadata.namespace}/${metadata.name}`));
  const make = (name: string, namespace: string) =>
    cluster.apply({ ...ref('v1', 'ConfigMap', name, namespace), metadata: { name, namespace, labels: { a: 'b' } } });
  const stop = new AbortController();
  const running = pool.run(stop.signal);
  try {
    await make('one', here);
    await make('other', there);
    await cluster.eventually(() => expect(informer.get(`${here}/one`)).toBeDefined());
    expect(informer.hasSynced()).toBe(true);
    expect(pool.incomplete()).toEqual([]);

    const namespace = await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: later } });
    await make('two', later);
    await cluster.eventually(() =>
      expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['one', 'two']),
    );
    await cluster.delete(namespace);
    await cluster.eventually(() =>
      expect(changes).toEqual([`added ${here}/one`, `added ${later}/two`, `deleted ${later}/two`]),
    );
    expect(informer.get(`${later}/two`)).toBeUndefined();
    expect(informer.get(`${there}/other`)).toBeUndefined();

    expect((await informer.read(stop.signal)).map(({ metadata }) => metadata.name)).toEqual(['one']);
    const heardMs = informer.heardMs() ?? 0;
    expect(heardMs).toBeGreaterThan(0);
    await make('three', here);
    // The age is that of the namespace with the oldest response.
    await cluster.eventually(() => expect(informer.get(`${here}/three`)).toBeDefined());
    expect(informer.heardMs() ?? 0).toBeGreaterThanOrEqual(heardMs);
    await cluster.delete(ref('v1', 'ConfigMap', 'three', here));
    await cluster.eventually(() => expect(changes).toContain(`deleted ${here}/three`));

    const late: string[] = [];
    informer.onChange(({ type, object }) => late.push(`${type} ${object.metadata.name}`));
    expect(late).toEqual(['added one']);
  } finally {
    stop.abort();
    await running;
    closeConnection(connection);
  }
});
