import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { writeAdmissionReview } from '#controller-runtime/webhook/admission-review';
import { POD_WEBHOOK_PATH, podWebhook } from '#operator/api/webhooks/pod';
import type { MutatingWebhook, Webhook } from '#operator/api/webhooks/webhook';
import { issueCertificate } from '#test/support/cluster/certificates';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { type KubeObject, ref } from '#test/support/cluster/objects';
import { podReview, WebhookClient } from '#test/support/controller-runtime/webhook-client';
import { annotate } from '#test/support/operator/network-fixture';
import {
  type OperatorInstallation,
  startOperator,
  webhookConfigurations,
} from '#test/support/operator/operator-installation';
import type { OperatorProcess } from '#test/support/operator/operator-process';

const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const PROXY_UID = 'config.linkerd.io/proxy-uid';
const MESHED = { 'linkerd.io/multus': 'enabled', 'linkerd.io/inject': 'enabled' };
const RANGED = { ...MESHED, 'openshift.io/sa.scc.uid-range': '1000680000/10000' };

let cluster: Cluster;
let operator: OperatorInstallation & OperatorProcess;
const configurations: KubeObject[] = [];

beforeAll(async () => {
  cluster = await sharedCluster();
  operator = await startOperator(cluster, { webhooks: true });
  await register(operator);
  // The API server calls a new webhook only after a moment.
  const namespace = await cluster.namespace('shop', { annotations: MESHED });
  await cluster.eventually(async () => expect(networksOf(await create(namespace))).toBe('linkerd-cni'));
});

afterEach(async () => {
  for (const { metadata } of configurations.splice(0)) await remove(metadata.name ?? '');
});

afterAll(async () => {
  await remove('linkerd-multus-webhook-config');
  await operator?.stop();
});

const remove = (name: string) =>
  cluster?.delete(ref('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', name));

async function register(serving: Pick<OperatorInstallation & OperatorProcess, 'ca' | 'webhookPort'>): Promise<void> {
  await cluster.applyAll(webhookConfigurations([podWebhookHere()], serving));
}

function podWebhookHere(): MutatingWebhook {
  const { linkerdNamespace, cniNamespace, namespace: operatorNamespace } = operator;
  return podWebhook({ linkerdNamespace, cniNamespace, operatorNamespace });
}

interface NewPod {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

const create = (namespace: string, { annotations, labels, spec }: NewPod = {}) =>
  cluster.create(
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { generateName: 'web-', namespace, annotations, labels },
      spec: { containers: [{ name: 'web', image: 'registry.example.com/web' }], ...spec },
    },
    { dryRun: true },
  );

const networksOf = ({ metadata }: KubeObject) => metadata.annotations?.[NETWORKS];

const counted = async () =>
  (await operator.metric(`controller_runtime_webhook_requests_total{webhook="${POD_WEBHOOK_PATH}",code="200"}`)) ?? 0;

/** Waits until the count of requests is stable, since a response may still be under way. */
async function asked(): Promise<number> {
  for (let before = await counted(); ; ) {
    await setTimeout(500);
    const now = await counted();
    if (now === before) return now;
    before = now;
  }
}

/** Counts the requests to the webhook during this act. */
async function askedWhile(act: () => Promise<unknown>): Promise<number> {
  const before = await asked();
  await act();
  return (await asked()) - before;
}

describe('a pod', () => {
  test('of a Deployment attaches', async () => {
    const namespace = await cluster.namespace('shop', { annotations: RANGED });
    const labels = { app: 'web' };
    const containers = [{ name: 'web', image: 'registry.example.com/web' }];
    await cluster.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    });
    const [pod] = await cluster.eventually(async () => {
      const pods = await cluster.list('v1', 'Pod', { namespace });
      expect(pods).toHaveLength(1);
      return pods;
    });
    expect(pod?.metadata.annotations).toEqual({ ...MESHED, [NETWORKS]: 'linkerd-cni', [PROXY_UID]: '1000682102' });
  });

  test('of the control plane attaches', async () => {
    const labels = { 'linkerd.io/control-plane-component': 'identity' };
    const annotations = { 'linkerd.io/multus': 'disabled' };
    expect(networksOf(await create(operator.linkerdNamespace, { labels, annotations }))).toBe('linkerd-cni');
    expect(networksOf(await create(operator.linkerdNamespace))).toBeUndefined();
  });

  test('of a new namespace attaches', async () => {
    for (let round = 0; round < 10; round += 1) {
      const namespace = await cluster.namespace('shop', { annotations: MESHED });
      expect(networksOf(await create(namespace))).toBe('linkerd-cni');
    }
  });

  test('that is large attaches', async () => {
    const namespace = await cluster.namespace('shop', { annotations: MESHED });
    const env = [{ name: 'LARGE', value: 'x'.repeat(1_200_000) }];
    const spec = { containers: [{ name: 'web', image: 'registry.example.com/web', env }] };
    expect(networksOf(await create(namespace, { spec }))).toBe('linkerd-cni');
  });

  test('whose namespace leaves the mesh no longer attaches', async () => {
    const namespace = await cluster.namespace('shop', { annotations: MESHED });
    expect(networksOf(await create(namespace))).toBe('linkerd-cni');
    await annotate(cluster, namespace, { 'linkerd.io/multus': 'disabled' });
    await cluster.eventually(async () => expect(networksOf(await create(namespace))).toBeUndefined());
  });
});

describe('the API server does not call the webhook for', () => {
  test.each<[string, () => string, NewPod]>([
    ['pods of kube-system', () => 'kube-system', {}],
    ['pods of the CNI plugin', () => operator.cniNamespace, {}],
    ["pods of the operator's namespace", () => operator.namespace, {}],
    ['the operator', () => operator.linkerdNamespace, { labels: { 'app.kubernetes.io/name': 'linkerd-reconciler' } }],
    ['pods on the network of the host', () => 'default', { spec: { hostNetwork: true } }],
    ['pods without Multus', () => 'default', { annotations: { 'linkerd.io/multus': 'disabled' } }],
    ['pods without a proxy', () => 'default', { annotations: { 'linkerd.io/inject': 'disabled' } }],
  ])('%s', async (_case, namespace, pod) => {
    const withProxy = { ...pod, annotations: { ...MESHED, ...pod.annotations } };
    await cluster.eventually(() => cluster.get(ref('v1', 'ServiceAccount', 'default', namespace())));
    expect(await askedWhile(() => create(namespace(), withProxy))).toBe(0);
  });

  test('system pods, but calls it for all other pods', async () => {
    const namespace = await cluster.namespace('shop');
    const pods: NewPod[] = [
      {},
      { annotations: MESHED },
      { annotations: { 'linkerd.io/multus': '', 'linkerd.io/inject': 'ingress' } },
      { labels: { 'linkerd.io/control-plane-component': 'x' }, annotations: { 'linkerd.io/inject': 'disabled' } },
      { spec: { hostNetwork: false } },
    ];
    expect(await askedWhile(() => Promise.all(pods.map((pod) => create(namespace, pod))))).toBe(pods.length);
  });
});

/** Serves a webhook of another client with this patch, in a configuration of this name. */
async function otherWebhook(name: string, patch: readonly object[]): Promise<{ seen: KubeObject[]; server: Server }> {
  const seen: KubeObject[] = [];
  const ca = issueCertificate({ commonName: 'other CA', ca: true });
  const server = createServer(issueCertificate({ commonName: 'other', issuer: ca, ips: ['127.0.0.1'] }));
  server.on('request', async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { request: asked } = JSON.parse(text);
    seen.push(asked.object);
    response.setHeader('content-type', 'application/json');
    response.end(writeAdmissionReview(asked.uid, { allowed: true, patch: patch as never }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webhook: Webhook = {
    ...podWebhookHere(),
    configuration: name,
    name: 'other.example.com',
    reinvocationPolicy: 'Never',
  };
  const serving = { ca, webhookPort: (server.address() as AddressInfo).port };
  configurations.push(...(await cluster.applyAll(webhookConfigurations([webhook], serving))));
  return { seen, server };
}

test("the webhook runs before Linkerd's injector, and restores what a later webhook removed", async () => {
  const namespace = await cluster.namespace('shop', { annotations: RANGED });
  const replacing = [{ op: 'add', path: '/metadata/annotations/k8s.v1.cni.cncf.io~1networks', value: 'storage' }];
  const { seen, server } = await otherWebhook('linkerd-proxy-injector-webhook-config', replacing);
  try {
    await cluster.eventually(async () => expect(networksOf(await create(namespace))).toBe('storage,linkerd-cni'));
    expect(seen[0]?.metadata.annotations).toMatchObject({ [NETWORKS]: 'linkerd-cni', [PROXY_UID]: '1000682102' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe('the operator itself', () => {
  const direct = () => new WebhookClient(operator.webhookPort ?? 0, { ca: operator.ca.cert });

  test('requests a namespace that it has not seen', async () => {
    const client = direct();
    const { code, text } = await client.send({ path: POD_WEBHOOK_PATH, body: podReview({ namespace: 'nowhere' }) });
    expect({ code, response: JSON.parse(text).response }).toMatchObject({ code: 200, response: { allowed: true } });
    const [event] = cluster.auditEvents({ user: operator.user, verb: 'get', resource: 'namespaces', name: 'nowhere' });
    // 404 shows that the operator has the permission. Without it, the code would be 403.
    expect(event?.responseStatus?.code).toBe(404);
    client.close();
  });

  test('changes its certificate while pods are created', async () => {
    const namespace = await cluster.namespace('shop', { annotations: MESHED });
    let isDone = false;
    const networks: unknown[] = [];
    const load = (async () => {
      while (!isDone) networks.push(networksOf(await create(namespace)));
    })();
    for (const commonName of ['second', 'third', 'fourth']) {
      const pair = issueCertificate({ commonName, issuer: operator.ca, ips: ['127.0.0.1'] });
      writeFileSync(join(operator.certificateDir, 'tls.crt'), pair.cert);
      writeFileSync(join(operator.certificateDir, 'tls.key'), pair.key);
      await cluster.eventually(async () => {
        const client = direct();
        expect((await client.send({ path: POD_WEBHOOK_PATH })).servedBy).toBe(commonName);
        client.close();
      });
    }
    isDone = true;
    await load;
    expect(new Set(networks)).toEqual(new Set(['linkerd-cni']));
  });
});

describe('the API server still creates a pod', () => {
  /** A port that accepts connections during the test, but does not answer. */
  async function silentPort(): Promise<{ readonly port: number; readonly close: () => void }> {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    return { port: (server.address() as AddressInfo).port, close };
  }

  afterEach(() => register(operator));

  test.each(['hangs', 'is down'])('when the operator %s', async (what) => {
    const { port, close } = await silentPort();
    if (what === 'is down') close();
    await register({ ca: operator.ca, webhookPort: port });
    const namespace = await cluster.namespace('shop', { annotations: MESHED });
    // The API server still calls the operator at the old port for a moment.
    await cluster.eventually(async () => expect(networksOf(await create(namespace))).toBeUndefined());
    close();
  });
});
