import { type Cluster, type OwnCluster, sharedCluster, startCluster } from '../support/cluster/cluster';
import { customResourceDefinition } from '../support/cluster/crds';
import { type KubeObject, ref } from '../support/cluster/objects';
import { isRunning, readPids } from '../support/cluster/pid-files';

function workload(kind: string, namespace: string, spec: Readonly<Record<string, unknown>> = {}): KubeObject {
  const labels = { app: kind.toLowerCase() };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: kind.toLowerCase(), namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.com/main:1' }] } },
      ...spec,
    },
  };
}

describe('a shared cluster', () => {
  let cluster: Cluster;
  let namespace: string;
  beforeAll(async () => {
    cluster = await sharedCluster();
    namespace = await cluster.namespace();
  });

  it('is the same for the next who asks', async () => {
    const [first, second] = await Promise.all([sharedCluster(), sharedCluster()]);
    expect(first.server).toBe(cluster.server);
    expect(second.server).toBe(cluster.server);
  });

  it.each([
    ['Deployment', { replicas: 3 }, 3],
    ['StatefulSet', { replicas: 2, serviceName: 'none' }, 2],
    ['DaemonSet', {}, 3],
  ])('rolls a %s out, and again when its pod template changes', async (kind, spec, pods) => {
    const object = workload(kind, namespace, spec);
    await cluster.apply(object);
    await cluster.rolledOut(object);
    const before = await podNames(kind);
    expect(before).toHaveLength(pods);

    await cluster.patch(object, { spec: { template: { metadata: { annotations: { changed: 'yes' } } } } });
    await cluster.rolledOut(object);

    await cluster.eventually(async () => {
      const after = await cluster.list('v1', 'Pod', { namespace, labelSelector: `app=${kind.toLowerCase()}` });
      expect(after).toHaveLength(pods);
      for (const pod of after) expect(pod.metadata.annotations).toMatchObject({ changed: 'yes' });
      if (kind !== 'StatefulSet') for (const { metadata } of after) expect(before).not.toContain(metadata.name);
    });
  });

  async function podNames(kind: string): Promise<(string | undefined)[]> {
    const pods = await cluster.list('v1', 'Pod', { namespace, labelSelector: `app=${kind.toLowerCase()}` });
    return pods.map(({ metadata }) => metadata.name);
  }

  it('leaves pods that fit no node pending', async () => {
    const pod = { nodeSelector: { no: 'such-node' }, containers: [{ name: 'main', image: 'example.com/main:1' }] };
    const object = ref('v1', 'Pod', 'homeless', namespace);
    await cluster.create({ ...object, spec: pod } as KubeObject);
    await cluster.eventually(async () => {
      const { status } = await cluster.get(object);
      expect(status).toMatchObject({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False' }] });
    });
  });

  it('finishes the pods of Jobs', async () => {
    const job = ref('batch/v1', 'Job', 'once', namespace);
    const pod = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/main:1' }] };
    await cluster.create({ ...job, spec: { template: { spec: pod } } } as KubeObject);
    await cluster.eventually(async () => expect((await cluster.get(job)).status).toMatchObject({ succeeded: 1 }));
  });

  it('lets a ServiceAccount do what a role says, and nothing else', async () => {
    await cluster.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader', namespace } });
    const token = await cluster.serviceAccountToken(namespace, 'reader');
    const reader = cluster.as({ token });
    const forbidden = { code: 403, reason: 'Forbidden' };
    await expect(reader.list('v1', 'ConfigMap', { namespace })).rejects.toMatchObject(forbidden);

    const rbac = 'rbac.authorization.k8s.io';
    await cluster.applyAll([
      {
        apiVersion: `${rbac}/v1`,
        kind: 'Role',
        metadata: { name: 'reader', namespace },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
      },
      {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name: 'reader', namespace },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace }],
      },
    ]);

    const configMaps = await cluster.eventually(() => reader.list('v1', 'ConfigMap', { namespace }));
    expect(configMaps.map(({ metadata }) => metadata.name)).toContain('kube-root-ca.crt');
    await expect(reader.get(ref('v1', 'ConfigMap', 'kube-root-ca.crt', namespace))).rejects.toMatchObject(forbidden);
    const user = `system:serviceaccount:${namespace}:reader`;
    expect(cluster.auditEvents({ user, verb: 'list', resource: 'configmaps', namespace, code: 200 })).toHaveLength(1);
    expect(cluster.auditEvents({ user, verb: 'get', code: 403 })).toHaveLength(1);
    expect(cluster.auditEvents({ user, verb: 'delete' })).toHaveLength(0);
  });

  it('knows users by client certificates', async () => {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
    const { status } = await cluster.as({ user: 'jane', groups: ['readers'] }).create(review);
    expect(status.userInfo).toMatchObject({ username: 'jane', groups: expect.arrayContaining(['readers']) });
  });

  it('refuses unknown fields, unless told not to', async () => {
    const object = { ...ref('v1', 'ConfigMap', 'odd', namespace), dta: { a: 'b' } } as KubeObject;
    await expect(cluster.apply(object)).rejects.toThrow(/dta/);
    await expect(cluster.create(object)).rejects.toThrow(/dta/);
    await expect(cluster.create(object, { fieldValidation: 'Ignore' })).resolves.not.toHaveProperty('dta');
  });

  it('creates, replaces, patches, finds and deletes', async () => {
    const name = ref('v1', 'ConfigMap', 'settings', namespace);
    const created = await cluster.create({ ...name, data: { a: '1' } } as KubeObject);
    await cluster.replace({ ...created, data: { a: '2' } });
    await expect(cluster.replace({ ...created, data: { a: '3' } })).rejects.toMatchObject({ reason: 'Conflict' });
    await cluster.patch(name, { data: { b: '2' } });
    const patched = await cluster.patch(name, [{ op: 'remove', path: '/data/a' }]);
    expect(patched.data).toEqual({ b: '2' });

    await cluster.patch(name, { data: { c: '3' } }, { dryRun: true });
    expect((await cluster.find(name))?.data).toEqual({ b: '2' });
    await cluster.delete(name);
    expect(await cluster.find(name)).toBeUndefined();
    await expect(cluster.get(name)).rejects.toMatchObject({ code: 404, reason: 'NotFound' });
  });

  it('applies as one manager, which takes fields of others only by force', async () => {
    const object = (value: string): KubeObject =>
      ({ ...ref('v1', 'ConfigMap', 'owned', namespace), data: { key: value } }) as KubeObject;
    await cluster.apply(object('mine'), { fieldManager: 'me' });
    await expect(cluster.apply(object('yours'), { fieldManager: 'you' })).rejects.toMatchObject({ reason: 'Conflict' });
    const taken = await cluster.apply(object('yours'), { fieldManager: 'you', force: true });
    expect(taken).toMatchObject({ data: { key: 'yours' } });
    expect(taken.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['you']);
  });

  it('serves a custom resource, status apart, as soon as its definition is applied', async () => {
    await cluster.apply(customResourceDefinition('cert-manager.io', 'Certificate'));
    const name = ref('cert-manager.io/v1', 'Certificate', 'web', namespace);
    const certificate = {
      ...name,
      spec: { secretName: 'web', issuerRef: { name: 'ca' }, dnsNames: ['example.com'] },
      status: { revision: 1 },
    } as KubeObject;
    expect(await cluster.apply(certificate)).not.toHaveProperty('status');
    const condition = (type: string) => ({ ...name, status: { conditions: [{ type, status: 'True' }] } }) as KubeObject;
    await cluster.apply(condition('Ready'), { subresource: 'status', fieldManager: 'one' });
    const { status } = await cluster.apply(condition('Issuing'), { subresource: 'status', fieldManager: 'two' });
    expect(status.conditions).toEqual([
      { type: 'Ready', status: 'True' },
      { type: 'Issuing', status: 'True' },
    ]);
    await expect(cluster.patch(name, { spec: { renewBefore: 24 } })).rejects.toMatchObject({ reason: 'Invalid' });
  });

  it('reports kinds that it does not serve', async () => {
    await expect(cluster.list('v1', 'Unicorn')).rejects.toThrow('The API server has no Unicorn in v1.');
  });
});

describe('a cluster of its own', () => {
  let cluster: OwnCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());

  it('keeps what it has when the API server restarts, and goes on working', async () => {
    const namespace = await cluster.namespace();
    const token = await cluster.serviceAccountToken(namespace, 'default');

    await cluster.stopApiServer();
    await expect(cluster.list('v1', 'Node')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await cluster.startApiServer();

    const deployment = workload('Deployment', namespace);
    await cluster.apply(deployment);
    await cluster.rolledOut(deployment);
    await expect(cluster.as({ token }).list('v1', 'Pod', { namespace })).rejects.toMatchObject({ code: 403 });
  });

  it('leaves no process and no file when it is stopped', async () => {
    const pids = [...readPids(cluster.dir).values()];
    expect(pids).toHaveLength(5);
    for (const pid of pids) expect(isRunning(pid)).toBe(true);
    await cluster.stop();
    for (const pid of pids) expect(isRunning(pid)).toBe(false);
    expect(readPids(cluster.dir).size).toBe(0);
  });
});
