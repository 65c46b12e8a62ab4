import { anchorName, MEMBER_CONFIG_MAP, MEMBER_LABEL, TRUST_ROOTS_KEY } from '../../../operator/api/trust-anchor';
import { knownCertificates } from '../../../operator/src/pki/known-certificate';
import { decoded } from '../../support/anchor/cert-manager/resources';
import { type MeshWatch, watchMesh } from '../../support/anchor/mesh-watch';
import { issueCertificate } from '../../support/cluster/certificates';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { ANCHOR_REF, type AnchoredMesh, POINTER, ROOTS, startRunningMesh } from './anchored-mesh';
import { replacePods, replaceWhenAnnounced } from './old-chain';

let mesh: AnchoredMesh;
let watch: MeshWatch;
beforeAll(async () => {
  mesh = await startRunningMesh({ spec: { cluster: 'east', members: ['west'] } });
  watch = watchMesh(mesh);
}, 180_000);
afterAll(async () => {
  await watch?.stop();
  await mesh?.stop();
});

const keyOf = (pem: string | undefined): string => knownCertificates(pem ?? '')[0]?.key ?? 'none';

async function anchorOf(generation: number): Promise<string> {
  const secret = await mesh.cluster.get(ref('v1', 'Secret', anchorName(generation), 'cert-manager'));
  return decoded(secret, 'tls.crt') ?? '';
}

async function told(): Promise<Readonly<Record<string, string>>> {
  return (await mesh.cluster.get(ref('v1', 'ConfigMap', MEMBER_CONFIG_MAP, 'cert-manager'))).data;
}

async function westTells(signing: readonly string[], adopted: readonly string[], roots: string): Promise<void> {
  const configMap: KubeObject = {
    ...ref('v1', 'ConfigMap', 'member-west', 'cert-manager'),
    metadata: { name: 'member-west', namespace: 'cert-manager', labels: { [MEMBER_LABEL]: 'west' } },
    data: { cluster: 'west', signing: signing.join('\n'), adopted: adopted.join('\n'), [TRUST_ROOTS_KEY]: roots },
  };
  await mesh.cluster.apply(configMap);
}

const holdsRoot = async (key: string): Promise<boolean> =>
  knownCertificates((await mesh.cluster.get(ROOTS)).data[TRUST_ROOTS_KEY]).some((one) => one.key === key);

async function condition(type: string, status: string, timeoutMs = 40_000): Promise<void> {
  await mesh.cluster.eventually(
    async () =>
      expect((await mesh.anchor()).status?.conditions).toContainEqual(expect.objectContaining({ type, status })),
    { timeoutMs },
  );
}

let first: string;
let second: string;

test('a cluster tells the others its anchor, and no key of it', async () => {
  first = await anchorOf(1);
  await mesh.cluster.eventually(async () =>
    expect(await told()).toEqual({
      cluster: 'east',
      signing: keyOf(first),
      adopted: keyOf(first),
      [TRUST_ROOTS_KEY]: expect.stringContaining('BEGIN CERTIFICATE'),
      updated: expect.any(String),
      version: expect.stringMatching(/^[0-9]+$/),
    }),
  );
  const pem = (await told())[TRUST_ROOTS_KEY] ?? '';
  expect(knownCertificates(pem).map(({ key }) => key)).toEqual([keyOf(first)]);
  expect(JSON.stringify(await told())).not.toContain('PRIVATE');
}, 60_000);

test('a cluster of which nothing is heard holds back the end of the old anchor, and nothing else', async () => {
  const { cluster } = mesh;
  await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
  await replaceWhenAnnounced(mesh);
  await mesh.reaches('Adopted', 60_000);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await condition('Signing', 'True');
  await condition('LeavesTurned', 'True');
  await condition('Retired', 'False');
  // A pod that is seen late takes it back for a moment.
  await cluster.eventually(async () => expect(await mesh.phase()).toBe('Adopted'));
  expect((await mesh.anchor()).status?.memory.rotation.retiring).toBeUndefined();
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(2));
  second = await anchorOf(2);
  expect(await holdsRoot(keyOf(first))).toBe(true);
  const data = await told();
  expect(data.signing).toBe(keyOf(second));
  expect(data.adopted?.split('\n').toSorted()).toEqual([keyOf(first), keyOf(second)].toSorted());
  expect(JSON.stringify(data)).not.toContain('PRIVATE');
}, 90_000);

test('one that joins half way brings its anchor along, and the old one goes when it can do without', async () => {
  const { cluster } = mesh;
  const west = issueCertificate({ commonName: 'root.west', ca: true }).cert;
  await westTells([keyOf(west), keyOf(first)], [keyOf(west), keyOf(first)], `${west}${first}`);
  await cluster.eventually(async () => expect(await holdsRoot(keyOf(west))).toBe(true), { timeoutMs: 15_000 });
  // Nobody here knows the other cluster's anchor yet.
  await condition('Adopted', 'False');
  // Whoever starts before it has spread may not be given it.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  await replacePods(mesh);
  await condition('Adopted', 'True');
  expect(await holdsRoot(keyOf(first))).toBe(true);
  // It knows the next one, but still signs by the old one.
  await westTells([keyOf(first)], [keyOf(west), keyOf(first), keyOf(second)], `${west}${first}`);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await mesh.anchor()).status?.memory.rotation.retiring).toBeUndefined();
  await westTells([keyOf(west)], [keyOf(west), keyOf(first), keyOf(second)], `${west}`);
  await mesh.rotatedTo(2, 40_000);
  await cluster.eventually(async () => expect(await holdsRoot(keyOf(first))).toBe(false));
  expect(await holdsRoot(keyOf(west))).toBe(true);
  expect(await cluster.find(ref('v1', 'Secret', anchorName(1), 'cert-manager'))).toBeUndefined();
  await watch.stop();
  expect(watch.failures()).toEqual([]);
}, 120_000);
