import { anchorName, BRIDGE_CONFIG_MAP } from '#anchor/trust-anchor';
import { BRIDGE_REQUEST_RULES } from '#operator/api/rbac/trust-anchor';
import { decoded } from '../../support/anchor/cert-manager/resources';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { signedBridge } from '../../support/anchor/signed-bridge';
import { issueCertificate } from '../../support/cluster/certificates';
import { ref } from '../../support/cluster/objects';
import { pemBlocks } from '../../support/cluster/pem';
import { isUse, permissionsOf } from '../rbac/permission';
import { ANCHOR_REF, meshOfFile, startInjectedMesh } from './anchored-mesh';
import { conditionOf, restartedWorkloads, runInstalledMesh } from './installed-mesh';
import { replacePods } from './old-chain';

const ANSWER = ref('v1', 'ConfigMap', BRIDGE_CONFIG_MAP, 'cert-manager');

const mesh = meshOfFile(() => startInjectedMesh({ answersRequests: true }));

const answerWith = (text: string) => mesh.cluster.apply({ ...ANSWER, data: { 'tls.crt': text } });

test('one signature by an external key rotates an anchor without a restart', async () => {
  const { cluster } = mesh;
  const bridge = { signedBy: 'Request', ifUnsigned: 'Restart' } as const;
  const { root, manifests } = await runInstalledMesh(mesh, { bridge });
  const watch = watchMesh(mesh);
  try {
    await cluster.applyAll(manifests);
    const first = await mesh.operator.start();
    await mesh.reaches('Stable');
    await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
    await conditionOf(mesh, 'Bridged', 'SignatureNeeded');
    const { bridge: asked } = (await mesh.anchor()).status ?? {};
    expect(asked).toMatchObject({ generation: 1, subject: 'CN=1.root.linkerd.cluster.local', pathLength: 1 });
    expect(asked.signer).toBe('CN=root.linkerd.cluster.local');
    // Two wrong answers: a certificate by another CA, and one for an earlier request.
    const other = issueCertificate({ commonName: 'root.linkerd.cluster.local', ca: true });
    await answerWith(signedBridge(asked.request, other));
    expect(await conditionOf(mesh, 'Degraded', 'SignedByOther')).toContain(BRIDGE_CONFIG_MAP);
    const earlier = issueCertificate({ commonName: '1.root.linkerd.cluster.local', ca: true, issuer: root });
    await answerWith(earlier.cert);
    await conditionOf(mesh, 'Bridged', 'Stale');
    await cluster.delete(ANSWER);
    await conditionOf(mesh, 'Bridged', 'SignatureNeeded');
    expect(await restartedWorkloads(mesh)).toEqual([]);
    // Another leader reads the answer, this time from Git.
    await first.kill('SIGKILL');
    const certificate = signedBridge(asked.request, root);
    await cluster.patch(ANCHOR_REF, { spec: { bridge: { ...bridge, certificate } } });
    await mesh.operator.start();
    await conditionOf(mesh, 'Bridged', 'Certified');
    expect((await mesh.anchor()).status).not.toHaveProperty('bridge');
    const secret = await cluster.get(ref('v1', 'Secret', anchorName(1), 'cert-manager'));
    expect(pemBlocks(decoded(secret, 'tls.crt') ?? '')).toEqual(pemBlocks(certificate));
    await mesh.reaches('LeavesTurned', 60_000);
    expect(await restartedWorkloads(mesh)).toEqual([]);
    await replacePods(mesh);
    await mesh.rotatedTo(1);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect(await restartedWorkloads(mesh)).toEqual([]);
  const events = cluster.auditEvents({ user: mesh.operator.user });
  const place = () => 'cert-manager';
  for (const permission of permissionsOf(BRIDGE_REQUEST_RULES).values()) {
    expect(events.some((event) => isUse(event, permission, place))).toBe(true);
  }
  expect(events.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
}, 300_000);
