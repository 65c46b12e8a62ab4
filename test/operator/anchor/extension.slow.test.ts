import { anchorName, IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { ANCHOR_REF, meshOfFile, startRunningMesh } from './anchored-mesh';

const LIFE_SECONDS = 80;

const mesh = meshOfFile(async () => {
  const running = await startRunningMesh({ spec: { duration: `${LIFE_SECONDS}s`, renewBefore: '11s' } });
  await running.cluster.patch(ANCHOR_REF, { spec: { paused: true } });
  return running;
});

async function uidsOf(namespace: string): Promise<readonly string[]> {
  const pods = await mesh.cluster.list('v1', 'Pod', { namespace });
  return pods.map(({ metadata }) => `${metadata.uid}`).sort();
}

const condition = ({ status }: KubeObject, type: string) =>
  status?.conditions?.find((one: { readonly type: string }) => one.type === type);

test('a paused anchor is extended past its end without a restart of any workload', async () => {
  const { cluster, certManager } = mesh;
  const before = { shop: await uidsOf('shop'), linkerd: await uidsOf('linkerd') };
  const anchors = certManager.issued.filter((one) => one.certificate === `cert-manager/${anchorName(1)}`);
  const end = Date.parse((await mesh.anchor()).metadata.creationTimestamp ?? '') + (LIFE_SECONDS + 5) * 1_000;
  const watch = watchMesh(mesh);
  try {
    await cluster.eventually(
      async () => {
        const anchor = await mesh.anchor();
        expect(condition(anchor, 'Extended')).toMatchObject({ status: 'True', reason: 'SameKey' });
        const [now] = anchor.status?.anchors ?? [];
        expect(now).toMatchObject({ generation: 1, role: 'Signing' });
        expect(Date.parse(now.notAfter)).toBeGreaterThan(end);
        const identities = await uidsOf('linkerd');
        expect(identities).toHaveLength(before.linkerd.length);
        for (const uid of identities) expect(before.linkerd).not.toContain(uid);
      },
      { timeoutMs: LIFE_SECONDS * 1_000 },
    );
    await cluster.eventually(async () => expect(Date.now()).toBeGreaterThan(end), { timeoutMs: LIFE_SECONDS * 1_000 });
    // Identity must verify the new issuer with the roots that it already has.
    const issuer = ref('cert-manager.io/v1', 'Certificate', IDENTITY_ISSUER, 'linkerd');
    const revision = (await cluster.get(issuer)).status?.revision;
    const conditions = [{ type: 'Issuing', status: 'True', reason: 'ManuallyTriggered', message: 'by a test' }];
    await cluster.patch(issuer, { status: { conditions } }, { subresource: 'status' });
    await cluster.eventually(async () => expect((await cluster.get(issuer)).status?.revision).toBe(revision + 1));
    await mesh.settled(5, { timeoutMs: 30_000 });
    expect(condition(await mesh.anchor(), 'Ready')).toMatchObject({ status: 'True' });
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect(await uidsOf('shop')).toEqual(before.shop);
  const now = certManager.issued.filter((one) => one.certificate === `cert-manager/${anchorName(1)}`);
  expect(now.length).toBeGreaterThan(anchors.length);
}, 240_000);
