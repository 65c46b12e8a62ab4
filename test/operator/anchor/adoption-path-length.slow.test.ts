import { anchorName } from '#anchor/trust-anchor';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { issueCertificate } from '../../support/cluster/certificates';
import { ref } from '../../support/cluster/objects';
import { ANCHOR_REF, meshOfFile, POINTER, ROOTS, startInjectedMesh } from './anchored-mesh';
import { newChain, oldChain, runOldMesh } from './old-chain';

const ISSUER = ref('cert-manager.io/v1', 'Certificate', 'linkerd-identity-issuer', 'linkerd');
const SECRET = ref('v1', 'Secret', anchorName(0), 'cert-manager');

const mesh = meshOfFile(startInjectedMesh);

test('an anchor with a path length of 0 signs until all pods trust the next anchor', async () => {
  const { cluster, certManager } = mesh;
  const root = issueCertificate({ commonName: 'root.linkerd.cluster.local', ca: true, pathLength: 0 });
  await cluster.apply({
    ...SECRET,
    metadata: { ...SECRET.metadata, labels: { 'cdk8s-linkerd/trust-anchor': 'current' } },
    type: 'kubernetes.io/tls',
    stringData: { 'tls.crt': root.cert, 'tls.key': root.key, 'ca.crt': root.cert },
  });
  const old = oldChain('manual').filter(({ metadata }) => metadata.name !== anchorName(0));
  await runOldMesh(mesh, old);
  const watch = watchMesh(mesh);
  const seen: { pointer: string; adopted: boolean }[] = [];
  const look = async (): Promise<void> => {
    const pointer = (await cluster.find(POINTER))?.spec.ca.secretName ?? 'none';
    const { status } = await mesh.anchor();
    if (status?.phase === 'Stable') return;
    const conditions: readonly { type: string; status: string }[] = status?.conditions ?? [];
    const adopted = conditions.some((one) => one.type === 'Adopted' && one.status === 'True');
    if (seen.at(-1)?.pointer !== pointer || seen.at(-1)?.adopted !== adopted) seen.push({ pointer, adopted });
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    await cluster.applyAll(newChain(old));
    await mesh.operator.start();
    await mesh.rotatedTo(0, 30_000);
    timer = setInterval(() => void look().catch(() => undefined), 100);
    await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
    await mesh.reaches('Announced', 30_000);
    // cert-manager still renews the identity issuer.
    const revision = (await cluster.get(ISSUER)).status?.revision;
    await certManager.renew('linkerd-identity-issuer', 'linkerd');
    await cluster.eventually(async () => expect((await cluster.get(ISSUER)).status?.revision).toBe(revision + 1));
    await mesh.rotatedTo(1, 90_000);
  } finally {
    clearInterval(timer);
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  // The old anchor signs until all pods trust the next one.
  expect(seen[0]).toEqual({ pointer: anchorName(0), adopted: false });
  const turned = seen.findIndex(({ pointer }) => pointer !== anchorName(0));
  // A pod that the operator sees later can revert Adopted; the signer stays.
  expect(seen.slice(0, turned + 1)).toContainEqual(expect.objectContaining({ adopted: true }));
  expect(seen.map(({ pointer }) => pointer)).not.toContain('none');
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(1));
  expect(await cluster.find(SECRET)).toBeUndefined();
  await cluster.eventually(async () =>
    expect((await cluster.get(ROOTS)).data['ca-bundle.crt'].match(/BEGIN CERTIFICATE/g)).toHaveLength(1),
  );
}, 240_000);
