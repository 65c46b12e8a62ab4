import { emptyCluster, type OwnCluster } from '../support/cluster/cluster';
import { customResourceDefinition } from '../support/cluster/crds';
import { type KubeObject, ref } from '../support/cluster/objects';
import { endProcess, readPids } from '../support/cluster/pid-files';

let cluster: OwnCluster;
beforeEach(async () => {
  cluster = await emptyCluster();
});
afterEach(() => cluster.stop());

const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'linkerd' } };
const WEBHOOKS = ref('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'nobody');
const ADMINS = ref('rbac.authorization.k8s.io/v1', 'ClusterRole', 'admin');

/** Leaves behind what is hard to remove: pods with an owner, a finalizer, a definition, a webhook that nobody answers. */
async function litter(): Promise<void> {
  await cluster.apply(NAMESPACE);
  await cluster.eventually(() => cluster.get(ref('v1', 'ServiceAccount', 'default', 'linkerd')));
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };
  const web: KubeObject = {
    ...ref('apps/v1', 'Deployment', 'web', 'linkerd'),
    spec: { replicas: 5, selector: { matchLabels: labels }, template },
  };
  await cluster.apply(web);
  await cluster.apply(customResourceDefinition('cert-manager.io', 'Certificate'));
  await cluster.apply({
    ...ref('cert-manager.io/v1', 'Certificate', 'web', 'linkerd'),
    metadata: { name: 'web', namespace: 'linkerd', finalizers: ['example.com/nobody'] },
    spec: { secretName: 'web', issuerRef: { name: 'ca' }, dnsNames: ['example.com'] },
  });
  await cluster.rolledOut(web);
  await cluster.patch(ADMINS, { metadata: { annotations: { changed: 'yes' } } });
  await cluster.apply({
    ...WEBHOOKS,
    webhooks: [
      {
        name: 'nobody.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['configmaps'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
}

test('what was left in it is gone for the next who takes it, and can be made again', async () => {
  await litter();
  const { server } = cluster;
  await cluster.stop();
  cluster = await emptyCluster();
  expect(cluster.server).toBe(server);
  expect(cluster.auditEvents()).toEqual([]);
  const names = (await cluster.list('v1', 'Namespace')).map(({ metadata }) => metadata.name);
  expect(names.toSorted()).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  expect(await cluster.list('v1', 'Pod')).toEqual([]);
  await expect(cluster.list('cert-manager.io/v1', 'Certificate')).rejects.toThrow('404');
  expect((await cluster.get(ADMINS)).metadata.annotations).not.toHaveProperty('changed');
  await cluster.create({ ...ref('v1', 'ConfigMap', 'free', 'default') });
  await litter();
});

test('one whose API server was left away, or a part of which has ended, is another', async () => {
  await cluster.stopApiServer();
  await endProcess(cluster.dir, 'etcd', 0);
  const before = cluster.server;
  await cluster.stop();
  cluster = await emptyCluster();
  expect(cluster.server).not.toBe(before);
  expect(readPids(cluster.dir).size).toBe(5);
  await litter();
});

test('nobody takes it twice', async () => {
  await expect(emptyCluster()).rejects.toThrow('already');
});
