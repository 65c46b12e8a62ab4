import { anchorName, COMPROMISED_ANNOTATION, WEEKDAYS } from '#anchor/trust-anchor';
import { decoded } from '../../support/anchor/cert-manager/resources';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { verifyChain } from '../../support/anchor/trust';
import { issueCertificate } from '../../support/cluster/certificates';
import { ref } from '../../support/cluster/objects';
import {
  ANCHOR_REF,
  type AnchoredMesh,
  gitManifests,
  identity,
  injectorDeployment,
  meshOfFile,
  startAnchoredMesh,
  workloads,
} from './anchored-mesh';
import { conditionOf } from './installed-mesh';

/** These leaves outlive the test, so that only restarts replace them in time. */
const LEAF_SECONDS = 540;

const mesh = meshOfFile(async () => {
  const started = await startAnchoredMesh([], { identity: { issuanceLifetimeMs: LEAF_SECONDS * 1_000 } });
  await started.cluster.apply(injectorDeployment());
  return started;
});

/** A maintenance window that is closed now. */
function closedWindow() {
  const inThreeDays = new Date().getUTCDay() + 2;
  return { days: [WEEKDAYS[inThreeDays % 7] ?? 'Mon'], start: '02:00', duration: '1h' };
}

/** The chain of an attacker with the key of the first anchor: a leaf by an issuer that the attacker made. */
async function forgedChain({ cluster }: AnchoredMesh): Promise<string> {
  const secret = await cluster.get(ref('v1', 'Secret', anchorName(1), 'cert-manager'));
  const anchor = { cert: decoded(secret, 'tls.crt') ?? '', key: decoded(secret, 'tls.key') ?? '' };
  const issuer = issueCertificate({ commonName: 'identity.linkerd.cluster.local', ca: true, issuer: anchor });
  const name = 'default.shop.serviceaccount.identity.linkerd.cluster.local';
  const leaf = issueCertificate({ commonName: name, dnsNames: [name], issuer });
  return `${leaf.cert}${issuer.cert}`;
}

/** The proxies that accept the chain. */
function deceived(chain: string): readonly string[] {
  return mesh.proxies
    .live()
    .filter(({ roots }) => verifyChain(chain, roots, { at: Date.now() }) === undefined)
    .map(({ name }) => name);
}

test('after a leak, pods restart until no proxy accepts the leaked key, without a failed handshake', async () => {
  const { cluster } = mesh;
  const windows = [closedWindow()];
  await cluster.applyAll(gitManifests({ issuanceLifetime: `${LEAF_SECONDS}s`, windows }));
  const first = await mesh.operator.start();
  await mesh.rotatedTo(1);
  await cluster.applyAll([identity(2), ...workloads(3)]);
  await mesh.settled(5, { timeoutMs: 120_000 });
  const forged = await forgedChain(mesh);
  expect(deceived(forged)).toHaveLength(5);
  const key = (await mesh.anchor()).status?.anchors[0].key;
  const watch = watchMesh(mesh);
  try {
    await cluster.patch(ANCHOR_REF, { metadata: { annotations: { [COMPROMISED_ANNOTATION]: key } } });
    await conditionOf(mesh, 'Distrusted', 'Replacing');
    await cluster.eventually(
      async () => {
        const { conditions } = (await mesh.anchor()).status ?? {};
        expect(conditions).toContainEqual(expect.objectContaining({ type: 'Signing', status: 'True' }));
      },
      { timeoutMs: 240_000 },
    );
    expect((await mesh.anchor()).status?.compromised).toMatchObject({ keys: [key], inBundle: true });
    await first.kill('SIGKILL');
    const second = await mesh.operator.start();
    await cluster.eventually(
      async () => {
        const { conditions, ...others } = (await mesh.anchor()).status ?? {};
        const distrusted = conditions.find(({ type }: { type: string }) => type === 'Distrusted');
        if (distrusted.status !== 'True') throw new Error(JSON.stringify({ conditions, ...others }));
      },
      { timeoutMs: 300_000 },
    );
    expect(deceived(forged)).toEqual([]);
    const metrics = await (await fetch(second.metricsUrl)).text();
    expect(metrics).toMatch(/^linkerd_trust_anchor_compromised_pods 0$/m);
    expect(metrics).toMatch(/^linkerd_trust_anchor_compromised_in_bundle 0$/m);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect((await mesh.anchor()).status).toMatchObject({
    phase: 'Stable',
    anchors: [{ generation: 2, role: 'Signing' }],
  });
  // Two waves restart each workload. On a slow machine, a new pod with the earlier bundle needs one restart more.
  const generations = (await cluster.list('apps/v1', 'Deployment', { namespace: 'shop' })).map(
    ({ metadata }) => metadata.generation,
  );
  expect(generations).toHaveLength(3);
  expect(Math.min(...generations.map(Number))).toBe(4);
  const requests = await cluster.list('cert-manager.io/v1', 'CertificateRequest', { namespace: 'cert-manager' });
  expect(requests.map(({ spec }) => spec.issuerRef.name)).not.toContain(anchorName(1));
}, 700_000);
