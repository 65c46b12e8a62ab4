import { createHash } from 'node:crypto';
import { type AnchorRig, identityDeployment, meshedDeployment, startAnchorRig } from '../support/anchor/anchor-rig';
import { type Churn, startChurn } from '../support/anchor/churn';
import { TRUST_ANCHORS } from '../support/anchor/fake-injector';
import { type MeshWatch, watchMesh } from '../support/anchor/mesh-watch';
import { startSelfHealer } from '../support/anchor/self-healer';
import { describeChain, describeRoots } from '../support/anchor/trust';
import { verifyMesh } from '../support/anchor/verify-mesh';
import { verifyWithGo } from '../support/anchor/verify-with-go';
import type { OwnCluster } from '../support/cluster/cluster';
import { type KubeObject, ref } from '../support/cluster/objects';

const API = 'cert-manager.io/v1';
const PKI = 'cert-manager';
const LABEL = 'cdk8s-linkerd/trust-anchor';
const ROOTS = ref('v1', 'ConfigMap', 'linkerd-identity-trust-roots', 'linkerd');
const IDENTITY = ref('apps/v1', 'Deployment', 'linkerd-identity', 'linkerd');

let rig: AnchorRig;
let cluster: OwnCluster;
beforeAll(async () => {
  rig = await startAnchorRig({
    certManager: { hourMs: 1_000 },
    identity: { issuanceLifetimeMs: 4_000, crashRetryMs: 200 },
  });
  cluster = rig.cluster;
  await cluster.applyAll([
    { ...ref(API, 'Issuer', 'self', PKI), spec: { selfSigned: {} } },
    anchor('a', 'self'),
    { ...ref(API, 'Issuer', 'a', PKI), spec: { ca: { secretName: 'a' } } },
    { ...ref(API, 'ClusterIssuer', 'identity'), spec: { ca: { secretName: 'a' } } },
    issuer(),
    bundle([{ secret: { selector: { matchLabels: { [LABEL]: 'current' } }, key: 'tls.crt' } }]),
  ]);
  await bundleOf(['a']);
  await cluster.applyAll([identityDeployment(2), meshedDeployment('web', 'shop', 3)]);
  await rig.settled(5);
});
afterAll(() => rig?.stop());

function anchor(name: string, signer: string): KubeObject {
  return {
    ...ref(API, 'Certificate', name, PKI),
    spec: {
      secretName: name,
      isCA: true,
      commonName: name,
      duration: '8760h',
      issuerRef: { name: signer },
      privateKey: { algorithm: 'ECDSA', rotationPolicy: 'Never' },
      usages: ['cert sign', 'crl sign'],
      renewal: { policy: 'Disabled' },
      secretTemplate: { labels: { [LABEL]: 'current' } },
    },
  };
}

function issuer(): KubeObject {
  return {
    ...ref(API, 'Certificate', 'linkerd-identity-issuer', 'linkerd'),
    spec: {
      secretName: 'linkerd-identity-issuer',
      isCA: true,
      commonName: 'identity.linkerd.cluster.local',
      duration: '400h',
      renewBefore: '25h',
      issuerRef: { name: 'identity', kind: 'ClusterIssuer' },
      privateKey: { algorithm: 'ECDSA', rotationPolicy: 'Always' },
      usages: ['cert sign', 'crl sign'],
    },
  };
}

function bundle(sources: readonly object[]): KubeObject {
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'linkerd' } };
  return {
    ...ref('trust.cert-manager.io/v1alpha1', 'Bundle', ROOTS.metadata.name ?? ''),
    spec: { sources, target: { configMap: { key: 'ca-bundle.crt' }, namespaceSelector } },
  };
}

/** Waits until the mesh's bundle has anchors of these names, and returns its text. */
function bundleOf(names: readonly string[]): Promise<string> {
  return cluster.eventually(
    async () => {
      const text: string = (await cluster.get(ROOTS)).data['ca-bundle.crt'];
      expect(describeRoots(text).replace(/#\w+/g, '')).toBe(`{${names.join(', ')}}`);
      return text;
    },
    { timeoutMs: 10_000 },
  );
}

async function metricOf(address: string): Promise<number> {
  const text = await (await fetch(`http://${address}:9990/metrics`)).text();
  return Number(/^issuer_cert_ttl_seconds (.*)$/m.exec(text)?.[1]);
}

const events = async () =>
  (await cluster.list('v1', 'Event', { namespace: 'linkerd' }))
    .filter(({ source }) => source?.component === 'linkerd-identity')
    .map(({ reason, count }) => `${reason} x${count}`);

/** The number of issuers that replicas of identity have taken up, each of them counted by itself. */
const updates = async () =>
  (await events()).reduce((sum, text) => sum + Number(/^IssuerUpdated x(\d+)$/.exec(text)?.[1] ?? 0), 0);

const chainsOf = () =>
  new Set(rig.proxies.live().map(({ chain = '' }) => describeChain(chain).replace(/^[^<]*<- /, '')));

it('gives pods the bundle, its hash and a leaf', async () => {
  const text = await bundleOf(['a']);
  const [pod] = await cluster.list('v1', 'Pod', { namespace: 'shop' });
  expect(pod?.metadata.annotations).toMatchObject({
    'linkerd.io/trust-root-sha256': createHash('sha256').update(text).digest('hex'),
  });
  expect(pod?.spec.initContainers).toMatchObject([
    { name: 'linkerd-proxy', env: [{ name: TRUST_ANCHORS, value: `${text}\n` }] },
  ]);
  expect(pod?.status.podIP).toMatch(/^127\.\d+\.\d+\.\d+$/);
  const report = await rig.settled(5);
  expect(report.pairs).toBe(25);
  expect(chainsOf()).toEqual(new Set(['identity.linkerd.cluster.local (by a)']));
  expect(verifyWithGo(report.samples)).toEqual(report.samples.map(() => undefined));
});

it('renews leaves before they end', async () => {
  const before = rig.proxies.live().map(({ renewals }) => renewals);
  await cluster.eventually(() => {
    const now = rig.proxies.live().map(({ renewals }) => renewals);
    expect(now.every((renewals, index) => renewals > (before[index] ?? 0))).toBe(true);
  });
  expect(verifyMesh(rig).failures).toEqual([]);
});

it('serves the issuer’s remaining life at the address of each replica', async () => {
  const { status } = await cluster.get(ref(API, 'Certificate', 'linkerd-identity-issuer', 'linkerd'));
  const left = (Date.parse(status.notAfter) - Date.now()) / 1_000;
  const addresses = rig.identity.replicas().map(({ pod }) => pod.status.podIP as string);
  expect(new Set(addresses).size).toBe(2);
  for (const address of addresses) expect(Math.abs((await metricOf(address)) - left)).toBeLessThan(2);
});

it('moves to another anchor by a bridge without a failure, while pods come and go, and without it fails', async () => {
  let churn: Churn | undefined;
  let watch: MeshWatch | undefined;
  try {
    watch = watchMesh(rig);
    churn = startChurn(cluster, { namespaces: ['shop', 'linkerd'], seed: 1, intervalMs: 400 });
    rig.identity.setLag(300);
    await cluster.apply(anchor('b', 'self'));
    await bundleOf(['a', 'b']);
    await cluster.patch(ref(API, 'Certificate', 'b', PKI), { spec: { issuerRef: { name: 'a' } } });
    await cluster.eventually(async () => {
      const { data } = await cluster.get(ref('v1', 'Secret', 'b', PKI));
      expect(describeChain(Buffer.from(data['tls.crt'], 'base64').toString())).toBe('b (by a)');
    });
    await cluster.patch(ref(API, 'ClusterIssuer', 'identity'), { spec: { ca: { secretName: 'b' } } });
    await rig.certManager.renew('linkerd-identity-issuer', 'linkerd');
    await cluster.eventually(() =>
      expect(chainsOf()).toEqual(new Set(['identity.linkerd.cluster.local (by b) <- b (by a)'])),
    );
    await churn.stop();
    await rig.settled(5);
    expect(watch.failures()).toEqual([]);
    expect(watch.looks()).toBeGreaterThan(10);
    const samples = watch.samples();
    expect(verifyWithGo(samples)).toEqual(samples.map(() => undefined));
    expect(churn.events.length).toBeGreaterThan(5);

    // The old anchor leaves the bundle, and new pods do not know it any more; then it signs again.
    await cluster.patch(ref(API, 'Certificate', 'b', PKI), { spec: { issuerRef: { name: 'self' } } });
    await cluster.patch(ref(API, 'Certificate', 'a', PKI), { spec: { secretTemplate: null } });
    await bundleOf(['b']);
    await cluster.patch(ref(API, 'ClusterIssuer', 'identity'), { spec: { ca: { secretName: 'a' } } });
    const before = await updates();
    await rig.certManager.renew('linkerd-identity-issuer', 'linkerd');
    await cluster.eventually(async () => expect(await updates()).toBeGreaterThan(before));
    await cluster.patch(meshedDeployment('web', 'shop', 3), {
      spec: { template: { metadata: { annotations: { restarted: 'yes' } } } },
    });
    await cluster.eventually(() =>
      expect(watch?.failures().join('\n')).toMatch(/refused by .* with roots \{b#\w+\}: nobody is known who signed/),
    );
  } finally {
    await churn?.stop();
    await watch?.stop();
  }
}, 120_000);

it('skips an issuer that its roots do not know, and takes none up any more once its watcher is broken', async () => {
  await cluster.patch(ref(API, 'Certificate', 'a', PKI), {
    spec: { secretTemplate: { labels: { [LABEL]: 'current' } } },
  });
  await bundleOf(['a', 'b']);
  await restarted();
  await cluster.apply(anchor('c', 'self'));
  await bundleOf(['a', 'b', 'c']);
  await cluster.patch(ref(API, 'ClusterIssuer', 'identity'), { spec: { ca: { secretName: 'c' } } });
  await rig.certManager.renew('linkerd-identity-issuer', 'linkerd');
  await cluster.eventually(async () =>
    expect((await events()).filter((event) => event === 'IssuerUpdateSkipped x1')).toHaveLength(2),
  );
  const issuerOf = () => rig.identity.replicas().map(({ issuer: loaded }) => describeChain(loaded?.chain ?? ''));
  expect(new Set(issuerOf())).toEqual(new Set(['identity.linkerd.cluster.local (by a)']));
  await restarted();
  expect(new Set(issuerOf())).toEqual(new Set(['identity.linkerd.cluster.local (by c)']));

  rig.identity.breakWatcher();
  const before = rig.identity.replicas().map(({ issuer: loaded }) => loaded?.notAfter);
  await rig.certManager.renew('linkerd-identity-issuer', 'linkerd');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(rig.identity.replicas().map(({ issuer: loaded }) => loaded?.notAfter)).toEqual(before);
}, 120_000);

/** Restarts identity, and waits until only new replicas work. */
async function restarted(): Promise<void> {
  const old = new Set(rig.identity.replicas().map(({ pod }) => pod.metadata.name));
  const annotations = { restarted: new Date().toISOString() };
  await cluster.patch(IDENTITY, { spec: { template: { metadata: { annotations } } } });
  await cluster.rolledOut(IDENTITY);
  await cluster.eventually(() => {
    const now = rig.identity.replicas();
    expect(now.map(({ issuer: loaded }) => loaded !== undefined)).toEqual([true, true]);
    expect(now.filter(({ pod }) => old.has(pod.metadata.name))).toEqual([]);
  });
}

it('stalls on a source that is missing, and deletes its ConfigMap with the Bundle', async () => {
  const inLine: string = (await cluster.get(ROOTS)).data['ca-bundle.crt'];
  const synced = async () => {
    const { status } = await cluster.get(bundle([]));
    return status.conditions.find(({ type }: { type: string }) => type === 'Synced');
  };
  await cluster.apply(bundle([{ inLine }, { secret: { name: 'none', key: 'tls.crt' } }]));
  await cluster.eventually(async () =>
    expect(await synced()).toMatchObject({ status: 'False', reason: 'SourceNotFound' }),
  );
  expect((await cluster.get(ROOTS)).data['ca-bundle.crt']).toBe(inLine);
  const configMap = { name: 'kept', key: 'ca-bundle.crt' };
  await cluster.apply({ ...ref('v1', 'ConfigMap', 'kept', PKI), data: { 'ca-bundle.crt': inLine } });
  await cluster.apply(bundle([{ inLine: `${inLine}\n${inLine}` }, { configMap }]));
  await cluster.eventually(async () => expect(await synced()).toMatchObject({ status: 'True' }));
  expect((await cluster.get(ROOTS)).data['ca-bundle.crt']).toBe(inLine);

  rig.trustManager.setLag(500);
  rig.injector.setLag(500);
  const begin = Date.now();
  await cluster.apply(bundle([{ secret: { name: 'b', key: 'tls.crt' } }]));
  const written = await bundleOf(['b']);
  expect(Date.now() - begin).toBeGreaterThan(450);
  expect(rig.injector.bundle()).toBe(inLine);
  await cluster.eventually(() => expect(rig.injector.bundle()).toBe(written));
  expect(Date.now() - begin).toBeGreaterThan(900);
  rig.trustManager.setLag(0);

  await cluster.delete(bundle([]));
  await cluster.eventually(async () => expect(await cluster.find(ROOTS)).toBeUndefined());
});

it('heals what differs from Git, and leaves the rest alone', async () => {
  const mine = { ...ref('v1', 'ConfigMap', 'mine', 'shop'), data: { a: '1' } } as KubeObject;
  const healer = startSelfHealer(cluster, [mine], { intervalMs: 50 });
  await cluster.eventually(() => cluster.get(mine));
  await cluster.patch(mine, { data: { a: '2', b: '3' } });
  await cluster.eventually(async () => expect((await cluster.get(mine)).data).toEqual({ a: '1', b: '3' }));
  await cluster.eventually(() => expect(healer.rounds()).toBeGreaterThan(5));
  await healer.stop();
  expect(healer.refusals()).toEqual([]);
  expect([...healer.healed]).toEqual([['ConfigMap/mine', 1]]);
});
