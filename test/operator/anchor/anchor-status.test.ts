import { TRUST_ANCHOR_LABEL, TRUST_ROOTS_KEY } from '../../../operator/api/trust-anchor';
import type { AnyObject } from '../../support/anchor/played/memory-api';
import { type PlayedMesh, playedMesh, rotateTo } from '../../support/anchor/played/played-mesh';
import { issueCertificate } from '../../support/cluster/certificates';

let stable: PlayedMesh;

beforeAll(async () => {
  stable = playedMesh();
  await rotateTo(stable, 1);
  for (let minutes = 0; minutes < 10; minutes += 1) stable.pass(60_000);
});

const condition = (mesh: PlayedMesh, type: string): AnyObject =>
  mesh.status().conditions.find((it: AnyObject) => it.type === type) ?? {};

/** Has a mesh looked at each ten seconds for so long. */
async function watch(mesh: PlayedMesh, seconds: number): Promise<void> {
  const operator = mesh.operator();
  for (let passed = 0; passed <= seconds; passed += 10) {
    await operator.look();
    mesh.pass(10_000);
  }
}

describe('a root that belongs to nothing that is known', () => {
  const addRoot = ({ api }: PlayedMesh): void => {
    const { cert } = issueCertificate({ commonName: 'somebody', ca: true });
    const metadata = { name: 'other', namespace: 'cert-manager', labels: { [TRUST_ANCHOR_LABEL]: 'current' } };
    api.put('configmaps', { metadata, data: { [TRUST_ROOTS_KEY]: cert } });
  };

  test('is named at once, and a reason to be degraded when it stays', async () => {
    const mesh = stable.copy();
    await watch(mesh, 0);
    expect(condition(mesh, 'RootsKnown')).toMatchObject({ status: 'True' });
    addRoot(mesh);
    mesh.pass(1_000);
    await watch(mesh, 10);
    expect(condition(mesh, 'RootsKnown')).toMatchObject({ status: 'False', reason: 'ForeignRoot' });
    expect(condition(mesh, 'RootsKnown').message).toMatch(/every proxy trusts the root "CN=somebody" \([0-9a-f]{8}\)/);
    expect(mesh.status().anchors).toMatchObject([{ generation: 1, role: 'Signing' }, { role: 'Foreign' }]);
    expect(condition(mesh, 'Degraded').status).toBe('False');
    await watch(mesh, 150);
    expect(condition(mesh, 'Degraded')).toMatchObject({ status: 'True', reason: 'ForeignRoot' });
  });

  test('is no news of a rotation: each root in it is known', async () => {
    const mesh = stable.copy();
    mesh.spec({ rotateNow: 'two' });
    await rotateTo(mesh, 2, {
      afterLook: () => expect(condition(mesh, 'RootsKnown')).toMatchObject({ status: 'True' }),
    });
    expect(mesh.events.map(({ reason }) => reason)).not.toContain('RootsKnown');
  });
});

test('pods that may not know the anchor are told of where no rotation goes on', async () => {
  const mesh = stable.copy();
  const operator = mesh.operator();
  const { caches } = operator.context;
  const view = () => {
    const seen = caches.view();
    const [pod] = seen.pods.filter(({ metadata }) => metadata.namespace === 'shop');
    const annotations = { 'linkerd.io/trust-root-sha256': 'f'.repeat(64) };
    const stray = { ...pod, metadata: { ...pod?.metadata, annotations, name: 'stray', uid: 'stray' } };
    return { ...seen, pods: [...seen.pods, stray as never] };
  };
  await mesh.operator({ caches: { ...caches, view } }).look();
  expect(mesh.status()).toMatchObject({
    phase: 'Stable',
    laggards: { count: 1, pods: 1, workloads: [{ workload: 'shop/Pod/stray', pods: 1 }] },
  });
  expect(condition(mesh, 'Ready').message).toMatch(/1 pods? know/);
});

test('an anchor that is being retired is listed with its generation, also when only its root is left', async () => {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two' });
  const seen: unknown[] = [];
  await rotateTo(mesh, 2, {
    afterLook: () => {
      const { anchors = [] } = mesh.status();
      seen.push(...anchors.filter(({ role }: AnyObject) => role === 'Previous' || role === 'Foreign'));
    },
  });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual(seen.map(() => expect.objectContaining({ role: 'Previous', generation: 1 })));
});
