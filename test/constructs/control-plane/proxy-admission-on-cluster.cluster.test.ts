import { Chart, Testing } from 'cdk8s';
import type { ProxyRequirement } from '#lib/constructs/control-plane/proxy-admission-policy';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { ApiError } from '../../support/cluster/rest';
import { plainObjects } from '../../support/plain-app';

let cluster: Cluster;
const applied: KubeObject[] = [];

beforeAll(async () => {
  cluster = await sharedCluster();
});

afterAll(async () => {
  for (const object of applied) await cluster.delete(object);
});

/** Returns the policy of a namespace and its binding, as Meshing emits them. */
function policyOf(namespace: string, action: ProxyRequirement): readonly KubeObject[] {
  const chart = new Chart(Testing.app(), 'test');
  const meshing = new Meshing(chart, 'meshing', { controlPlane: { release: 'edge-26.8.3' } });
  meshing.requireProxy(namespace, action);
  expect(chart.node.root.node.validate()).toEqual([]);
  return plainObjects(chart);
}

async function enforce(namespace: string, action: ProxyRequirement): Promise<void> {
  const objects = policyOf(namespace, action);
  applied.push(...(await cluster.applyAll(objects)));
}

type Spec = Readonly<Record<string, unknown>>;
type Metadata = Partial<KubeObject['metadata']>;

const app = { name: 'app', image: 'example.com/app:1' };
const proxy = { name: 'linkerd-proxy', image: 'cr.l5d.io/linkerd/proxy:edge-26.8.3' };

const podIn = (namespace: string, spec: Spec = {}, metadata: Metadata = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...metadata, generateName: 'pod-', namespace } as KubeObject['metadata'],
  spec: { containers: [app], ...spec },
});

/** Returns the message with which the API server refuses a pod; undefined if it accepts the pod. */
async function refusal(pod: KubeObject): Promise<string | undefined> {
  try {
    await cluster.create(pod, { dryRun: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}

function expectDenied(answer: string | undefined, denied: boolean): void {
  if (denied) expect(answer).toContain('has no container linkerd-proxy');
  else expect(answer).toBeUndefined();
}

/** API servers apply a new or changed policy after a moment. */
const denies = (namespace: string, pod = podIn(namespace)) =>
  cluster.eventually(async () => expect(await refusal(pod)).toContain('has no container linkerd-proxy'));
const admits = (namespace: string, pod = podIn(namespace)) =>
  cluster.eventually(async () => expect(await refusal(pod)).toBeUndefined());

const inject = (mode?: string): Metadata => (mode === undefined ? {} : { annotations: { 'linkerd.io/inject': mode } });

describe('the policy deny', () => {
  const namespaces = new Map<string, string>();
  const MODES = ['enabled', 'ingress', 'disabled', '', 'Enabled', 'true'];

  beforeAll(async () => {
    for (const mode of MODES) namespaces.set(mode, await cluster.namespace('policy', inject(mode)));
    namespaces.set('none', await cluster.namespace('policy'));
    for (const namespace of namespaces.values()) await enforce(namespace, 'deny');
    const wanting = inject('enabled');
    await Promise.all([...namespaces.values()].map((namespace) => denies(namespace, podIn(namespace, {}, wanting))));
  });

  const DENIED = true;
  const ADMITTED = false;

  test.each<[namespace: string, pod: string | undefined, denied: boolean]>([
    ['enabled', undefined, DENIED],
    ['enabled', '', DENIED],
    ['enabled', 'enabled', DENIED],
    ['enabled', 'ingress', DENIED],
    ['enabled', 'disabled', ADMITTED],
    ['enabled', 'Disabled', DENIED],
    ['enabled', 'false', DENIED],
    ['ingress', undefined, DENIED],
    ['ingress', 'disabled', ADMITTED],
    ['disabled', undefined, ADMITTED],
    ['disabled', '', ADMITTED],
    ['disabled', 'enabled', DENIED],
    ['disabled', 'ingress', DENIED],
    ['disabled', 'disabled', ADMITTED],
    ['disabled', 'yes', DENIED],
    ['none', undefined, ADMITTED],
    ['none', 'enabled', DENIED],
    ['none', 'disabled', ADMITTED],
    ['', undefined, ADMITTED],
    ['', 'enabled', DENIED],
    ['Enabled', undefined, DENIED],
    ['Enabled', 'disabled', ADMITTED],
    ['true', undefined, DENIED],
  ])(
    'decides, in a namespace with inject %j, whether to deny a pod with inject %j without a proxy: %s',
    async (mode, pod, denied) => {
      const namespace = namespaces.get(mode) ?? '';
      const answer = await refusal(podIn(namespace, {}, inject(pod)));
      expectDenied(answer, denied);
    },
  );

  test.each<[what: string, denied: boolean, spec: Spec, metadata?: Metadata]>([
    ['a native sidecar', ADMITTED, { initContainers: [{ ...proxy, restartPolicy: 'Always' }] }],
    ['a native sidecar after another init container', ADMITTED, { initContainers: [{ ...app, name: 'init' }, proxy] }],
    ['an ordinary sidecar', ADMITTED, { containers: [app, proxy] }],
    ['another sidecar, which keeps the injector off', DENIED, { containers: [app, { ...app, name: 'istio-proxy' }] }],
    ['an init container of the mesh only', DENIED, { initContainers: [{ ...app, name: 'linkerd-init' }] }],
    ['the network of the node, which the injector skips', ADMITTED, { hostNetwork: true }],
    ['hostNetwork: false', DENIED, { hostNetwork: false }],
    ['no token of its service account', DENIED, { automountServiceAccountToken: false }],
    ['a container named host-network', DENIED, { containers: [{ ...app, name: 'host-network' }] }],
    ['other annotations', DENIED, {}, { annotations: { 'linkerd.io/injected': 'disabled' } }],
    ['the label of the control plane', ADMITTED, {}, { labels: { 'linkerd.io/control-plane-component': 'identity' } }],
    ['the label of the CNI plugin', ADMITTED, {}, { labels: { 'linkerd.io/cni-resource': 'true' } }],
    ['other labels', DENIED, {}, { labels: { app: 'web' } }],
  ])('decides whether to deny a pod with %s: %s', async (_what, denied, spec, ...[metadata]) => {
    const namespace = namespaces.get('enabled') ?? '';
    const answer = await refusal(podIn(namespace, spec, metadata));
    expectDenied(answer, denied);
  });

  test('admits the mirror of a static pod', async () => {
    const mirror = { annotations: { 'kubernetes.io/config.mirror': 'hash' } };
    const spec = { nodeName: 'node-a', automountServiceAccountToken: false };
    expect((await refusal(podIn(namespaces.get('enabled') ?? '', spec, mirror))) ?? '').not.toContain('linkerd-proxy');
  });

  test('admits changes and deletions of existing pods', async () => {
    const namespace = await cluster.namespace('policy', inject('enabled'));
    const { metadata } = await cluster.create(podIn(namespace));
    const running = ref('v1', 'Pod', String(metadata.name), namespace);
    await enforce(namespace, 'deny');
    await denies(namespace);
    await cluster.patch(running, { metadata: { labels: { team: 'a' } } });
    await cluster.delete(running);
  });

  test('admits pods of other namespaces', async () => {
    expect(await refusal(podIn(await cluster.namespace('policy', inject('enabled'))))).toBeUndefined();
    const elsewhere = podIn('kube-system', {}, inject('enabled'));
    expect((await refusal(elsewhere)) ?? '').not.toContain('linkerd-proxy');
  });

  test('is lifted and restored by a label of the namespace', async () => {
    const namespace = namespaces.get('enabled') ?? '';
    const label = (value: string | null) =>
      cluster.patch(ref('v1', 'Namespace', namespace), {
        metadata: { labels: { 'config.linkerd.io/admission-webhooks': value } },
      });
    await label('disabled');
    await admits(namespace);
    await label(null);
    await denies(namespace);
  });

  test.each(['policy', 'binding'])('ends with the deletion of its %s', async (half) => {
    const namespace = await cluster.namespace('policy', inject('enabled'));
    const [policy, binding] = await cluster.applyAll(policyOf(namespace, 'deny'));
    await denies(namespace);
    const [gone, left] = half === 'policy' ? [policy, binding] : [binding, policy];
    if (gone === undefined || left === undefined) throw new Error('policy and binding are two');
    await cluster.delete(gone);
    await admits(namespace);
    await cluster.delete(left);
  });
});

/** Returns how often pods violated a policy, by enforcement action, from the API server's metrics. */
async function enforced(namespace: string): Promise<Readonly<Record<string, number>>> {
  const metrics = String(await cluster.request({ method: 'GET', path: '/metrics' }));
  const lines = metrics
    .split('\n')
    .filter((line) => line.startsWith('apiserver_validating_admission_policy_check_total{'))
    .filter((line) => line.includes(`policy="linkerd-require-proxy-${namespace}"`));
  return Object.fromEntries(
    lines.map((line) => [/enforcement_action="([^"]*)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
  );
}

test.each<[ProxyRequirement, string]>([
  ['warn', 'warn'],
  ['audit', 'audit'],
])('the policy %s admits a pod without a proxy, and the API server counts it', async (action, counted) => {
  const namespace = await cluster.namespace('policy', inject('enabled'));
  await enforce(namespace, action);
  await cluster.eventually(async () => {
    expect(await refusal(podIn(namespace))).toBeUndefined();
    expect(await enforced(namespace)).toMatchObject({ [counted]: expect.any(Number) });
  });
  expect(await enforced(namespace)).not.toHaveProperty('deny');
});
