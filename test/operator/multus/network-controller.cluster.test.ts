import { MULTUS_RULES } from '#operator/api/rbac/multus';
import { emptyCluster, type OwnCluster } from '../../support/cluster/cluster';
import { customResourceDefinition } from '../../support/cluster/crds';
import { ref } from '../../support/cluster/objects';
import { annotate, cniConfigMap, NETWORKS, networkRef, redirection } from '../../support/operator/network-fixture';
import { type OperatorInstallation, startOperator } from '../../support/operator/operator-installation';
import type { OperatorProcess } from '../../support/operator/operator-process';

let cluster: OwnCluster;
let operator: OperatorInstallation & OperatorProcess;

beforeAll(async () => {
  cluster = await emptyCluster();
  operator = await startOperator(cluster);
});

afterAll(async () => {
  await operator?.stop();
  await cluster?.stop();
});

const MULTUS_CRD = ref('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `${NETWORKS}.k8s.cni.cncf.io`);
const ENABLED = { 'linkerd.io/multus': 'enabled' };

const attachedNamespace = () => cluster.namespace('shop', { annotations: ENABLED });
const isThere = (namespace: string) => cluster.eventually(() => cluster.get(networkRef(namespace)));
const isGone = (namespace: string) =>
  cluster.eventually(async () => expect(await cluster.find(networkRef(namespace))).toBeUndefined());

/** Returns the operator's writes in a namespace, each as its verb and status. */
const writes = (namespace: string) =>
  cluster
    .auditEvents({ user: operator.user, resource: NETWORKS, namespace })
    .filter(({ verb }) => !['list', 'watch'].includes(verb))
    .map(({ verb, responseStatus }) => `${verb} ${responseStatus?.code}`);

async function events(regarding: string): Promise<string[]> {
  const all = await cluster.list('v1', 'Event');
  return all.filter(({ involvedObject }) => involvedObject.name === regarding).map(({ reason }) => reason);
}

/** A network that another client created. */
const foreign = (namespace: string, config: string) => ({ ...networkRef(namespace), spec: { config } });

/**
 * Creates and waits for a network, after which the operator has handled all earlier writes and its own writes are
 * logged.
 */
async function hasCaughtUp(): Promise<void> {
  const namespace = await attachedNamespace();
  await isThere(namespace);
}

// In the order of an installation, so that no test has to start anything twice.
describe('before its prerequisites exist,', () => {
  test('the operator waits for Multus, and is ready meanwhile', async () => {
    expect(await cluster.find(MULTUS_CRD)).toBeUndefined();
    expect((await fetch(`${operator.healthUrl}/readyz`)).status).toBe(200);
  });

  test('namespaces wait for the CNI plugin, and get an Event for it', async () => {
    await cluster.apply(customResourceDefinition('k8s.cni.cncf.io', 'NetworkAttachmentDefinition'));
    const namespace = await attachedNamespace();
    await cluster.eventually(async () => expect(await events(namespace)).toEqual(['NoCniConfig']), {
      timeoutMs: 50_000,
    });
    expect(writes(namespace)).toEqual([]);

    await cluster.apply(cniConfigMap(operator.cniNamespace, { 'proxy-uid': 2102 }));
    expect(await isThere(namespace)).toMatchObject({
      metadata: { labels: { 'app.kubernetes.io/managed-by': 'linkerd-reconciler' } },
      spec: {
        config: JSON.stringify(
          {
            cniVersion: '0.3.0',
            name: 'linkerd-cni',
            kubernetes: { kubeconfig: '/etc/cni/net.d/ZZZ-linkerd-cni-kubeconfig' },
            linkerd: { 'proxy-uid': 2102 },
          },
          undefined,
          2,
        ),
      },
    });
    await hasCaughtUp();
    expect(writes(namespace)).toEqual(['create 201']);
  });
});

describe('a namespace', () => {
  test('has the network while it is annotated for it, with one write per change', async () => {
    const namespace = await cluster.namespace('shop');
    await annotate(cluster, namespace, ENABLED);
    await isThere(namespace);
    await annotate(cluster, namespace, { 'linkerd.io/multus': 'disabled' });
    await isGone(namespace);
    await annotate(cluster, namespace, ENABLED);
    await isThere(namespace);
    // The operator may repeat a write that its cache lacks, and the API server refuses it.
    await hasCaughtUp();
    await annotate(cluster, namespace, { unrelated: 'too' });
    await annotate(cluster, namespace, { 'linkerd.io/multus': null });
    await isGone(namespace);
    await hasCaughtUp();
    expect(writes(namespace)).toEqual(['create 201', 'delete 200', 'create 201', 'delete 200']);
  });

  test('of the control plane always has the network', async () => {
    const { linkerdNamespace: namespace } = operator;
    await isThere(namespace);
    await annotate(cluster, namespace, { 'linkerd.io/multus': 'disabled' });
    await hasCaughtUp();
    await isThere(namespace);
    expect(writes(namespace)).toEqual(['create 201']);
  });

  test('that is being deleted does not change', async () => {
    const namespace = await attachedNamespace();
    await isThere(namespace);
    const blocker = { metadata: { name: 'blocker', namespace, finalizers: ['example.com/wait'] } };
    await cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', ...blocker });
    await cluster.delete(ref('v1', 'Namespace', namespace));
    await isGone(namespace);
    await annotate(cluster, namespace, { unrelated: 'change' });
    await hasCaughtUp();
    expect(writes(namespace)).toEqual(['create 201']);
    await cluster.patch(ref('v1', 'ConfigMap', 'blocker', namespace), { metadata: { finalizers: null } });
  });

  test('keeps its network as the operator created it, whatever other clients write', async () => {
    const namespace = await attachedNamespace();
    const { spec } = await isThere(namespace);
    await cluster.patch(networkRef(namespace), { spec: { config: '{}' }, metadata: { labels: { team: 'shop' } } });
    await cluster.eventually(async () => expect((await cluster.get(networkRef(namespace))).spec).toEqual(spec));
    expect((await cluster.get(networkRef(namespace))).metadata.labels).toMatchObject({ team: 'shop' });
    await cluster.delete(networkRef(namespace));
    await isThere(namespace);
    await hasCaughtUp();
    expect(writes(namespace)).toEqual(['create 201', 'patch 200', 'create 201']);
  });
});

describe('a network from Git', () => {
  const emitted = (config: string) => ({
    metadata: { labels: { 'app.kubernetes.io/managed-by': 'cdk8s-linkerd' } },
    spec: { config },
  });

  test('is unchanged while its namespace is annotated, and is deleted with the annotation', async () => {
    const namespace = await attachedNamespace();
    await isThere(namespace);
    await cluster.patch(networkRef(namespace), emitted('{"cniVersion":"0.3.0"}'));
    await hasCaughtUp();
    expect((await cluster.get(networkRef(namespace))).spec.config).toBe('{"cniVersion":"0.3.0"}');
    // MultusAttach no longer emits the network. Argo CD does not delete it; the administrator removes the annotation.
    await annotate(cluster, namespace, { 'linkerd.io/multus': null });
    await isGone(namespace);
  });
});

describe("another client's network", () => {
  test.each([
    ['with another configuration gets an Event, and stays', '{"cniVersion":"1.0.0"}', ['ForeignNetwork']],
    ['without a configuration gets an Event, and stays', '', ['ForeignNetwork']],
  ])('%s', async (_case, config, expected) => {
    const namespace = await cluster.namespace('shop');
    const { metadata } = await cluster.create(foreign(namespace, config));
    await annotate(cluster, namespace, ENABLED);
    await cluster.eventually(async () =>
      expect((await cluster.list('v1', 'Event', { namespace })).map(({ reason }) => reason)).toEqual(expected),
    );
    await annotate(cluster, namespace, { 'linkerd.io/multus': null });
    await hasCaughtUp();
    expect((await cluster.get(networkRef(namespace))).metadata.resourceVersion).toBe(metadata.resourceVersion);
    // The operator may have tried to create a network before its cache had this one.
    expect(writes(namespace).filter((write) => write !== 'create 409')).toEqual([]);
  });

  test("is replaced by the operator's when it is deleted", async () => {
    const namespace = await cluster.namespace('shop');
    await cluster.create(foreign(namespace, '{}'));
    await annotate(cluster, namespace, ENABLED);
    await hasCaughtUp();
    await cluster.delete(networkRef(namespace));
    await cluster.eventually(async () => expect(await redirection(cluster, namespace)).toEqual({ 'proxy-uid': 2102 }));
  });
});

describe('a hundred namespaces', () => {
  const names = Array.from({ length: 100 }, (_, index) => `many-${index}`);

  const inParallel = async (each: (name: string) => Promise<unknown>) => {
    const rest = [...names];
    const worker = async () => {
      for (let name = rest.pop(); name !== undefined; name = rest.pop()) await each(name);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  };

  const configs = async () => {
    const networks = await cluster.list('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition');
    return networks.filter(({ metadata }) => metadata.namespace?.startsWith('many-')).map(({ spec }) => spec.config);
  };

  const allSay = (count: number, text: string) =>
    cluster.eventually(
      async () => expect((await configs()).filter((config) => config.includes(text))).toHaveLength(count),
      { timeoutMs: 60_000, intervalMs: 250 },
    );

  test('attach, follow the CNI plugin, and detach, with one write each per change', async () => {
    await inParallel((name) =>
      cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations: ENABLED } }),
    );
    await allSay(100, '"proxy-uid": 2102');

    await cluster.apply(cniConfigMap(operator.cniNamespace, { 'proxy-uid': 2103 }));
    await allSay(100, '"proxy-uid": 2103');
    await cluster.delete(ref('v1', 'ConfigMap', 'linkerd-cni-config', operator.cniNamespace));
    await cluster.apply(cniConfigMap(operator.cniNamespace, { 'proxy-uid': 2103 }));
    await hasCaughtUp();

    await inParallel((name) => annotate(cluster, name, { 'linkerd.io/multus': null }));
    await cluster.eventually(async () => expect(await configs()).toEqual([]));
    await hasCaughtUp();
    const written = new Map(names.map((name) => [name, [] as string[]]));
    for (const { verb, objectRef, responseStatus } of cluster.auditEvents({
      user: operator.user,
      resource: NETWORKS,
    })) {
      written.get(objectRef?.namespace ?? '')?.push(`${verb} ${responseStatus?.code}`);
    }
    expect(new Set([...written.values()].map(String))).toEqual(new Set(['create 201,patch 200,delete 200']));
  });
});

test('the controller of networks needs each of its permissions', () => {
  // Only the webhook needs `get` of namespaces.
  const needed = MULTUS_RULES.flatMap(({ resources, verbs }) => verbs.map((verb) => `${verb} ${resources}`));
  const events = cluster.auditEvents({ user: operator.user });
  const used = new Set(events.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`));
  expect(needed.filter((permission) => !used.has(permission))).toEqual(['get namespaces']);
  expect(events.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
});

// This test is the last, since it deletes all networks with the CRD.
test('without the CRD of Multus, the operator retries networks, and creates them once it is back', async () => {
  const namespace = await attachedNamespace();
  await isThere(namespace);
  await cluster.delete(MULTUS_CRD);
  await cluster.eventually(() => {
    expect(writes(namespace)).toContain('create 404');
    // A failure would increase the backoff with each retry.
    expect(operator.logs()).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: 'cannot write the network yet, retrying', namespace }),
    );
  });
  await cluster.apply(customResourceDefinition('k8s.cni.cncf.io', 'NetworkAttachmentDefinition'));
  await cluster.eventually(() => cluster.get(networkRef(namespace)), { timeoutMs: 30_000 });
});
