import { watchMesh } from '../../support/anchor/mesh-watch';
import { issueCertificate } from '../../support/cluster/certificates';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { ANCHOR_REF, type AnchoredMesh, gitManifests, identity, startInjectedMesh, workloads } from './anchored-mesh';

const RESTART = { policy: 'Restart', maxUnavailableWorkloads: 2, progressDeadlineSeconds: 20 } as const;
const ANNOTATION = 'cdk8s-linkerd/trust-roots';

let mesh: AnchoredMesh;
beforeEach(async () => {
  mesh = await startInjectedMesh();
}, 120_000);
afterEach(async () => {
  await mesh?.stop();
});

async function restarted(): Promise<readonly (string | undefined)[]> {
  const deployments = await mesh.cluster.list('apps/v1', 'Deployment', {});
  return deployments
    .filter(({ spec }) => spec.template.metadata.annotations?.[ANNOTATION] !== undefined)
    .map(({ metadata }) => metadata.name)
    .sort();
}

test('who does not know the next anchor is restarted, each once, where that is asked for', async () => {
  await mesh.cluster.applyAll(gitManifests({ laggards: RESTART }));
  await mesh.operator.start();
  await mesh.rotatedTo(1);
  await mesh.cluster.applyAll([identity(2), ...workloads(5, 2)]);
  await mesh.settled(12, { timeoutMs: 60_000 });
  const watch = watchMesh(mesh);
  await mesh.cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'two' } });
  await mesh.rotatedTo(2).finally(() => watch.stop());
  expect(watch.failures()).toEqual([]);
  expect(await restarted()).toEqual(['linkerd-identity', 'web-0', 'web-1', 'web-2', 'web-3', 'web-4']);
  const generations = (await mesh.cluster.list('apps/v1', 'Deployment', { namespace: 'shop' })).map(
    ({ metadata }) => metadata.generation,
  );
  expect(generations).toEqual([2, 2, 2, 2, 2]);
}, 240_000);

test('an anchor whose key is elsewhere is replaced the long way: first all know the next one, then it signs', async () => {
  const root = issueCertificate({ commonName: 'root.linkerd.cluster.local', ca: true });
  const issuer = issueCertificate({ commonName: 'identity.linkerd.cluster.local', ca: true, issuer: root });
  const manifests = gitManifests({ laggards: RESTART });
  const withPrevious = manifests.map((manifest): KubeObject => {
    if (manifest.kind !== 'Bundle') return manifest;
    return { ...manifest, spec: { ...manifest.spec, sources: [...manifest.spec.sources, { inLine: root.cert }] } };
  });
  const pem = issuer.cert.trim().replaceAll('\n', '\n        ');
  const values = `linkerdVersion: edge-26.8.3\nidentity:\n  issuer:\n    tls:\n      crtPEM: |\n        ${pem}\n`;
  await mesh.cluster.applyAll([
    ...withPrevious.filter(({ kind }) => kind === 'Bundle'),
    {
      ...ref('v1', 'Secret', 'linkerd-identity-issuer', 'linkerd'),
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': issuer.cert, 'tls.key': issuer.key, 'ca.crt': root.cert },
    },
    { ...ref('v1', 'ConfigMap', 'linkerd-config', 'linkerd'), data: { values } },
  ]);
  await mesh.cluster.eventually(() =>
    mesh.cluster.get(ref('v1', 'ConfigMap', 'linkerd-identity-trust-roots', 'linkerd')),
  );
  await mesh.cluster.applyAll([identity(2), ...workloads(3)]);
  await mesh.settled(5, { timeoutMs: 60_000 });

  await mesh.cluster.applyAll(withPrevious);
  await mesh.operator.start();
  await mesh.reaches('Stable');
  const watch = watchMesh(mesh);
  await mesh.cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
  await mesh.cluster.eventually(
    async () =>
      expect((await mesh.anchor()).status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'Bridged', reason: 'LongWay' }),
      ),
    { timeoutMs: 30_000 },
  );
  await mesh.rotatedTo(1).finally(() => watch.stop());
  expect(watch.failures()).toEqual([]);
  expect(await restarted()).toEqual(['linkerd-identity', 'web-0', 'web-1', 'web-2']);
}, 300_000);
