import { anchorName } from '../../../operator/api/trust-anchor';
import { decoded } from '../../support/anchor/cert-manager/resources';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { issueCertificate } from '../../support/cluster/certificates';
import { ref } from '../../support/cluster/objects';
import { pemBlocks } from '../../support/cluster/pem';
import { ANCHOR_REF, meshOfFile, startInjectedMesh } from './anchored-mesh';
import { conditionOf, restartedWorkloads, runInstalledMesh } from './installed-mesh';
import { replacePods } from './old-chain';

const mesh = meshOfFile(startInjectedMesh);

test('an issuer with a key below the old anchor signs the bridge by itself', async () => {
  const { cluster } = mesh;
  const bridge = {
    signedBy: 'Issuer',
    ifUnsigned: 'Restart',
    issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'corporate' },
  } as const;
  const { root, manifests } = await runInstalledMesh(mesh, { bridge });
  const between = issueCertificate({ commonName: 'corporate.example.com', ca: true, issuer: root });
  await cluster.applyAll([
    {
      ...ref('v1', 'Secret', 'corporate', 'cert-manager'),
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': between.cert, 'tls.key': between.key, 'ca.crt': root.cert },
    },
    { ...ref('cert-manager.io/v1', 'ClusterIssuer', 'corporate'), spec: { ca: { secretName: 'corporate' } } },
  ]);
  const watch = watchMesh(mesh);
  try {
    await cluster.applyAll(manifests);
    await mesh.operator.start();
    await mesh.reaches('Stable');
    await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
    await conditionOf(mesh, 'Bridged', 'Certified');
    const secret = await cluster.get(ref('v1', 'Secret', anchorName(1), 'cert-manager'));
    expect(pemBlocks(decoded(secret, 'tls.crt') ?? '')).toHaveLength(2);
    await mesh.reaches('LeavesTurned', 60_000);
    // The CA in between is in the bundle with the bridge, and known.
    await conditionOf(mesh, 'RootsKnown', 'AllKnown');
    await replacePods(mesh);
    await mesh.rotatedTo(1);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect(await restartedWorkloads(mesh)).toEqual([]);
}, 300_000);
