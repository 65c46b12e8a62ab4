import { type MeshedPod, slimMeshedPod } from '#operator/src/anchor/objects/meshed-pod';
import { chooseTargets, ROUND } from '#operator/src/anchor/probe/probe-targets';

const LOCAL_NAME = '$(_pod_sa).$(_pod_ns).serviceaccount.identity.linkerd.cluster.local';

interface PodParts {
  readonly name: string;
  readonly namespace?: string;
  readonly hash?: string;
  readonly component?: string;
  readonly spec?: object;
  readonly proxy?: object;
  readonly status?: object;
  readonly deletionTimestamp?: string;
}

/** A pod as the operator caches it, with the fields of the injector and the kubelet. */
function pod({ name, namespace = 'shop', hash = 'a', component, deletionTimestamp, ...parts }: PodParts): MeshedPod {
  const running = { state: { running: { startedAt: '2026-11-23T10:00:00Z' } } };
  const proxy = {
    name: 'linkerd-proxy',
    env: [{ name: 'LINKERD2_PROXY_IDENTITY_LOCAL_NAME', value: LOCAL_NAME }],
    ports: [{ name: 'linkerd-admin', containerPort: 4191 }],
    ...parts.proxy,
  };
  return slimMeshedPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      annotations: { 'linkerd.io/trust-root-sha256': hash },
      ...(component !== undefined && { labels: { 'linkerd.io/control-plane-component': component } }),
    },
    spec: { serviceAccountName: 'web', containers: [{ name: 'main' }], initContainers: [proxy], ...parts.spec },
    status: {
      phase: 'Running',
      podIP: '10.0.0.1',
      containerStatuses: component === undefined ? [] : [{ name: 'identity', ...running }],
      initContainerStatuses: [{ name: 'linkerd-proxy', ...running }],
      ...parts.status,
    },
  } as unknown as MeshedPod);
}

const BUNDLES = ['a', 'b', ...Array.from({ length: 90 }, (_, index) => `h${index}`)];

const choose = (
  pods: readonly MeshedPod[],
  round = 0,
  suspects: readonly string[] = [],
  found: readonly string[] = [],
) => chooseTargets(pods, { controlPlaneNamespace: 'linkerd', bundles: BUNDLES, round, found, suspects });
const names = (...args: Parameters<typeof choose>) => choose(...args).map(({ pod: name }) => name);
const many = (count: number, prefix: string, hash?: string): MeshedPod[] =>
  Array.from({ length: count }, (_, index) =>
    pod({ name: `${prefix}${String(index).padStart(5, '0')}`, ...(hash !== undefined && { hash }) }),
  );

test("the prober probes a proxy at its pod's inbound port for the identity of its service account", () => {
  expect(choose([pod({ name: 'a' })])).toEqual([
    {
      uid: 'uid-a',
      pod: 'shop/a',
      host: '10.0.0.1',
      port: 4143,
      identity: 'web.shop.serviceaccount.identity.linkerd.cluster.local',
      isTrusted: false,
      bundle: 'a',
    },
  ]);
});

test('the prober probes a proxy in a plain container, on another port, at an IPv6 address', () => {
  const { env } = { env: [{ name: 'LINKERD2_PROXY_IDENTITY_LOCAL_NAME', value: 'x.y' }] };
  const ports = [{ name: 'linkerd-proxy', containerPort: 5143 }];
  const one = pod({
    name: 'a',
    spec: { initContainers: undefined, containers: [{ name: 'linkerd-proxy', env, ports }], serviceAccountName: '' },
    status: { podIP: 'fd00::1' },
  });
  expect(choose([one])).toMatchObject([{ host: 'fd00::1', port: 5143, identity: 'x.y' }]);
});

test.each<[string, Partial<PodParts>]>([
  ['has no address yet', { status: { podIP: undefined } }],
  ['has no running proxy', { status: { initContainerStatuses: [{ name: 'linkerd-proxy', state: {} }] } }],
  ['shares the network of its node', { spec: { hostNetwork: true } }],
  ['is being deleted', { deletionTimestamp: '2026-11-23T10:00:00Z' }],
  ['has no identity in its proxy', { proxy: { env: undefined } }],
  ['has an invalid identity', { proxy: { env: [{ name: 'LINKERD2_PROXY_IDENTITY_LOCAL_NAME', value: 'a b' }] } }],
  ['has a long identity', { proxy: { env: [{ name: 'LINKERD2_PROXY_IDENTITY_LOCAL_NAME', value: 'a'.repeat(300) }] } }],
])('the prober skips a pod that %s', (_, parts) => expect(choose([pod({ name: 'a', ...parts })])).toEqual([]));

test('the prober trusts the labels of identity and the control plane only in their namespace', () => {
  const own = pod({ name: 'i', namespace: 'linkerd', component: 'identity' });
  const other = pod({ name: 'x', component: 'identity' });
  expect(choose([own, other]).map(({ pod: name, isTrusted }) => [name, isTrusted])).toEqual([
    ['linkerd/i', true],
    ['shop/x', false],
  ]);
});

test('each round over 10000 pods probes identity, the suspected pod, and in turn pods of each bundle', () => {
  const identities = Array.from({ length: 3 }, (_, index) =>
    pod({ name: `identity-${index}`, namespace: 'linkerd', component: 'identity' }),
  );
  const few = many(2, 'few', 'b');
  const pods = [...many(10_000, 'web', 'a'), ...few, ...identities];
  const suspect = 'shop/web09999';
  const seen = new Set<string>();
  for (let round = 0; round < 40; round += 1) {
    const asked = names(pods, round, [suspect]);
    expect(asked.length).toBeLessThanOrEqual(ROUND.identities + ROUND.suspects + ROUND.sample);
    expect(asked).toEqual(expect.arrayContaining([suspect, 'shop/few00000', 'shop/few00001', 'linkerd/identity-2']));
    for (const name of asked) seen.add(name);
  }
  // Ten pods of the first bundle in each round, and none twice.
  expect(seen.size).toBe(40 * 10 + 1 + 2 + 3);
});

test('each round probes a pod with a chain of the old anchor, and takes turns if too many are suspected', () => {
  const pods = [...many(100, 'junk', 'a'), ...many(1_000, 'web', 'a')];
  const junk = pods.slice(0, 100).map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  const seen = new Set<string>();
  for (let round = 0; round < 25; round += 1) {
    const asked = names(pods, round, junk, ['shop/web00999']);
    expect(asked).toContain('shop/web00999');
    for (const name of asked.filter((one) => junk.includes(one))) seen.add(name);
  }
  expect(seen.size).toBe(100);
});

test('any number of pods with unknown bundles displaces no other pods from a round', () => {
  const claims = Array.from({ length: 1_000 }, (_, index) => many(1, `x${index}-`, `claim${index}`)[0] as MeshedPod);
  const asked = names([...many(100, 'web', 'a'), ...claims]);
  expect(asked.filter((name) => name.startsWith('shop/web'))).toHaveLength(ROUND.sample / 2);
});

test('the prober reaches every pod eventually, even with more bundles than fit into a round', () => {
  const pods = [
    ...many(100, 'web', 'a'),
    ...Array.from({ length: 90 }, (_, index) => many(1, `x${index}-`, `h${index}`)[0]),
  ];
  const seen = new Set<string>();
  for (let round = 0; round < 800; round += 1) {
    for (const name of names(pods as MeshedPod[], round)) seen.add(name);
  }
  expect(seen.size).toBe(190);
});

test('a round probes the same pods in any order, and the next round probes others', () => {
  const pods = many(100, 'web');
  expect(new Set(names(pods.toReversed(), 3))).toEqual(new Set(names(pods, 3)));
  expect(names(pods, 4)).not.toEqual(names(pods, 3));
});
