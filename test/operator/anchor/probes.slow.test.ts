import { ROTATE_NOW_ANNOTATION } from '#anchor/trust-anchor';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { issueCertificate } from '../../support/cluster/certificates';
import type { KubeObject } from '../../support/cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import { ANCHOR_REF, gitManifests, identity, meshOfFile, startAnchoredMesh, workloads } from './anchored-mesh';

/** The real lifetime of leaves. The TrustAnchor claims six seconds. */
const LEAF_MS = 75_000;

const mesh = meshOfFile(() => startAnchoredMesh([], { probed: true, identity: { issuanceLifetimeMs: LEAF_MS } }));
const parts = [identity(2, { namesIdentity: true }), ...workloads(3)];
let operator: OperatorProcess;

const condition = async (type: string): Promise<KubeObject> => {
  const { status } = await mesh.anchor();
  return status?.conditions?.find((it: { readonly type: string }) => it.type === type) ?? {};
};
const becomes = (type: string, wanted: object): Promise<void> =>
  mesh.cluster.eventually(async () => expect(await condition(type)).toMatchObject(wanted), { timeoutMs: 60_000 });
const metrics = async (): Promise<string> => await (await fetch(operator.metricsUrl)).text();
const eventReasons = async (): Promise<readonly string[]> => {
  const events = await mesh.cluster.list('events.k8s.io/v1', 'Event');
  return events.map(({ reason }) => reason);
};

beforeAll(async () => {
  await mesh.cluster.applyAll(gitManifests());
  operator = await mesh.operator.start();
  await mesh.rotatedTo(1);
  await mesh.cluster.applyAll(parts);
  await mesh.settled(5, { timeoutMs: 120_000 });
}, 180_000);

test('a rotation waits for proxies with longer-lived certificates than configured, but not for a foreign certificate', async () => {
  const { cluster, proxies } = mesh;
  const stranger = issueCertificate({ commonName: 'stranger', dnsNames: ['stranger'] });
  const watch = watchMesh(mesh);
  await cluster.patch(ANCHOR_REF, { metadata: { annotations: { [ROTATE_NOW_ANNOTATION]: 'two' } } });
  await mesh.reaches('Announced');
  await cluster.patch(ANCHOR_REF, { spec: { paused: true } });
  // All pods get the new anchor while the old one signs.
  for (const part of parts) {
    await cluster.patch(part, { spec: { template: { metadata: { annotations: { restarted: 'now' } } } } });
  }
  await mesh.settled(5, { timeoutMs: 60_000 });
  proxies.lie('shop/web-2', stranger);
  await cluster.patch(ANCHOR_REF, { spec: { paused: false } });
  await becomes('Retired', { status: 'False', reason: 'OldChains' });
  expect((await condition('Retired')).message).toMatch(/(linkerd\/linkerd-identity|shop\/web)-/);
  expect((await condition('Retired')).message).not.toMatch('shop/web-2');
  await becomes('Degraded', { status: 'True', reason: 'OldChains' });
  await becomes('PairsVerified', { status: 'False', reason: 'Invalid' });
  expect((await condition('PairsVerified')).message).toMatch(/^shop\/web-2-/);
  expect(await metrics()).toMatch(/^linkerd_trust_anchor_pairs{result="refused"} [1-9]/m);
  await mesh.rotatedTo(2, 150_000);
  await watch.stop();
  expect(watch.failures()).toEqual([]);
  expect(await eventReasons()).toEqual(expect.arrayContaining(['PairsRefused', 'OldChains']));
}, 400_000);

test('once no proxy has a foreign certificate, all pairs verify, and a new leader keeps this result', async () => {
  const { cluster, proxies } = mesh;
  proxies.lie('shop/web-2', undefined);
  await operator.stop();
  operator = await mesh.operator.start();
  await becomes('PairsVerified', { status: 'True', reason: 'AllVerify' });
  expect((await condition('PairsVerified')).message).toMatch(/certificates of all sampled proxies \(5\)/);
  expect(await metrics()).toMatch(/^linkerd_trust_anchor_probed_proxies{result="presented"} 5$/m);
  expect(await metrics()).toMatch(/^linkerd_trust_anchor_pairs{result="refused"} 0$/m);
  expect(await eventReasons()).toContain('PairsVerified');
  const refused = cluster
    .auditEvents({ user: mesh.operator.user })
    .filter(({ responseStatus }) => responseStatus?.code === 403);
  expect(refused).toEqual([]);
}, 120_000);
