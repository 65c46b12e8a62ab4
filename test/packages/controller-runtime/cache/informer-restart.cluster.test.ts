import { type OwnCluster, startCluster } from '#test/support/cluster/cluster';
import { ref } from '#test/support/cluster/objects';
import { configMap, converged, follow, write } from '#test/support/controller-runtime/followed-config-maps';
import { startTcpProxy, type TcpProxy } from '#test/support/controller-runtime/tcp-proxy';

let cluster: OwnCluster;
let proxy: TcpProxy;

beforeAll(async () => {
  cluster = await startCluster();
  proxy = await startTcpProxy(cluster.server);
});

afterAll(async () => {
  await proxy.stop();
  await cluster.stop();
});

test('an informer continues after a restart of the API server', async () => {
  const namespace = await cluster.namespace('restart');
  const follower = await follow({ cluster, namespace, proxy });
  await write(cluster, namespace, 50);
  await cluster.restartApiServer();
  await cluster.create(configMap(namespace, 'after', 0));
  await converged(follower);
  expect(follower.informer.get(`${namespace}/after`)).toBeDefined();
  expect(follower.history.mistakes).toEqual([]);
  await follower.stop();
});

test('an informer loses no change, not even a deletion, in a restart that forgets its version (410)', async () => {
  const namespace = await cluster.namespace('expired');
  await cluster.create(configMap(namespace, 'gone', 0));
  const follower = await follow({ cluster, namespace, proxy });
  const ended: string[] = [];
  follower.informer.onChange(({ type, object }) => {
    if (type === 'deleted') ended.push(object.metadata.name);
  });
  proxy.refuse(true);
  await cluster.delete(ref('v1', 'ConfigMap', 'gone', namespace));
  await write(cluster, namespace, 20);
  // A new API server has no events from before its start.
  await cluster.restartApiServer();
  await cluster.create(configMap(namespace, 'after', 0));
  proxy.refuse(false);
  await converged(follower);
  expect(ended).toEqual(['gone']);
  expect(follower.history.mistakes).toEqual([]);
  await follower.stop();
});
