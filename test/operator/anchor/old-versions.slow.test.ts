import { X509Certificate } from 'node:crypto';
import { anchorPolicy } from '#anchor/policy';
import { takenUpBy } from '#anchor/times';
import { anchorName, ROTATE_NOW_ANNOTATION } from '#anchor/trust-anchor';
import { startChurn } from '../../support/anchor/churn';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { startSelfHealer } from '../../support/anchor/self-healer';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { ANCHOR_REF, gitManifests, identity, meshOfFile, POINTER, startAnchoredMesh, workloads } from './anchored-mesh';

/** The releases of the cluster `stable`. Linkerd 2.14 reports a new issuer only by Events. */
const OLD = {
  certManager: { version: 'v1.16.1' },
  trustManager: { version: 'v0.12.0' },
  identity: { tellsIssuerEnd: false },
} as const;

/** The manifests in Git. The Bundle has no source of ConfigMaps, because one stops this old trust-manager. */
const MANIFESTS: readonly KubeObject[] = gitManifests().map((object) => {
  const secrets = object.spec.sources?.filter(({ secret }: { readonly secret?: object }) => secret !== undefined);
  return object.kind === 'Bundle' ? { ...object, spec: { ...object.spec, sources: secrets } } : object;
});

const mesh = meshOfFile(() => startAnchoredMesh([], OLD));
beforeAll(async () => {
  await mesh.cluster.applyAll(MANIFESTS);
  await mesh.operator.start();
  await mesh.rotatedTo(1);
  await mesh.cluster.applyAll([identity(2), ...workloads(3)]);
  await mesh.settled(5, { timeoutMs: 120_000 });
}, 240_000);

const certificate = (generation: number) =>
  mesh.cluster.get(ref('cert-manager.io/v1', 'Certificate', anchorName(generation), 'cert-manager'));
const publicKey = async (generation: number) => {
  const secret = await mesh.cluster.get(ref('v1', 'Secret', anchorName(generation), 'cert-manager'));
  return new X509Certificate(Buffer.from(secret.data['tls.crt'], 'base64')).publicKey.export({ format: 'jwk' });
};

test('a Certificate for an old cert-manager sets all defaulted fields, and none that cert-manager lacks', async () => {
  const { spec } = await certificate(1);
  expect(spec.privateKey).toMatchObject({ rotationPolicy: 'Never', encoding: 'PKCS1' });
  expect(spec).not.toHaveProperty('renewal');
  expect(spec.revisionHistoryLimit).toBe(3);
});

test('an anchor that an old cert-manager renews keeps its key, without a failed handshake', async () => {
  const watch = watchMesh(mesh);
  const before = await publicKey(1);
  const { status } = await certificate(1);
  await mesh.certManager.renew(anchorName(1), 'cert-manager');
  await mesh.cluster.eventually(async () =>
    expect((await certificate(1)).status?.revision).toBe((status?.revision ?? 0) + 1),
  );
  expect(await publicKey(1)).toEqual(before);
  await mesh.settled(5, { timeoutMs: 60_000 });
  await watch.stop();
  expect(watch.failures()).toEqual([]);
}, 120_000);

test('the anchor is rotated over a bridge with cert-manager 1.16, trust-manager 0.12 and identity without a metric', async () => {
  const { cluster } = mesh;
  const healer = startSelfHealer(cluster, MANIFESTS);
  const churn = startChurn(cluster, { namespaces: ['shop'], seed: 7, intervalMs: 900 });
  const watch = watchMesh(mesh);
  await cluster.patch(ANCHOR_REF, { metadata: { annotations: { [ROTATE_NOW_ANNOTATION]: 'one' } } });
  let controlPlaneChurn: ReturnType<typeof startChurn> | undefined;
  try {
    // Each replica of identity reports the new issuer by an Event, unless the replica starts at that moment.
    await cluster.eventually(
      async () =>
        expect((await mesh.anchor()).status?.memory?.issuer).toMatchObject({
          revision: 2,
          takenUp: expect.any(Number),
        }),
      { timeoutMs: 120_000 },
    );
    const { spec } = await cluster.get(ref('apps/v1', 'Deployment', 'linkerd-identity', 'linkerd'));
    const { spec: policy, status } = await mesh.anchor();
    const { seen, takenUp } = status?.memory?.issuer ?? {};
    // If the Event comes too late on a busy machine, the operator restarts identity.
    const isInTime = takenUp < takenUpBy(seen, anchorPolicy(policy, undefined));
    if (isInTime) expect(spec.template.metadata.annotations?.['cdk8s-linkerd/certificates']).not.toBe('issuer-2');
    controlPlaneChurn = startChurn(cluster, { namespaces: ['linkerd'], seed: 7, intervalMs: 900 });
    const anchor = await mesh.rotatedTo(2, 180_000);
    expect(anchor.status?.anchors).toMatchObject([{ generation: 2, role: 'Signing' }]);
  } finally {
    await controlPlaneChurn?.stop();
    await churn.stop();
    await watch.stop();
    await healer.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect(healer.refusals()).toEqual([]);
  expect([...healer.healed]).toEqual([]);
  expect(await cluster.find(ref('v1', 'Secret', anchorName(1), 'cert-manager'))).toBeUndefined();
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(2));
}, 300_000);
