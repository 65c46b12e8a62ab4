import type { AnchorMemory } from '#anchor/memory';
import { FORGET_ANNOTATION } from '#anchor/trust-anchor';
import type { MeshedPod } from '#operator/src/anchor/objects/meshed-pod';
import { type TrustAnchor, withDefaults } from '#operator/src/anchor/objects/trust-anchor';
import { forgottenMemory, withoutGone } from '#operator/src/anchor/observe/believed-memory';
import { observe } from '#operator/src/anchor/observe/observe';
import { type PlayedMesh, playedMesh, rotateTo } from '../../support/anchor/played/played-mesh';

const YEAR_MS = 365 * 86_400_000;

let stable: PlayedMesh;

beforeAll(async () => {
  stable = playedMesh();
  await rotateTo(stable, 1);
  for (let minutes = 0; minutes < 10; minutes += 1) stable.pass(60_000);
});

async function meshIn(phase: string): Promise<PlayedMesh> {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two' });
  const operator = mesh.operator();
  while (mesh.status().phase !== phase) mesh.pass(Math.max(1_000, await operator.look()));
  return mesh;
}

/** The memory with each start time moved by this time. */
function moved(value: unknown, by: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => moved(one, by));
  const times = new Set(['since', 'seen', 'takenUp', 'steady', 'began', 'announced', 'signing', 'adopted', 'dropped']);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      times.has(key) && typeof one === 'number' ? one + by : moved(one, by),
    ]),
  );
}

const remember = ({ api }: PlayedMesh, memory: unknown): void =>
  void api.put('trustanchors', { metadata: { name: 'linkerd' }, status: { memory } });

test.each(['Minted', 'Announced', 'Bridged', 'Signing', 'Adopted'])(
  'the operator does not wait for future times in status.memory in phase %s',
  async (phase) => {
    const mesh = await meshIn(phase);
    remember(mesh, moved(mesh.status().memory, 10 * YEAR_MS));
    const begin = mesh.now();
    await rotateTo(mesh, 2);
    expect(mesh.now() - begin).toBeLessThan(60 * 60_000);
  },
);

test('the operator waits no longer than a leaf may live, even if status.memory claims years', async () => {
  const mesh = await meshIn('Signing');
  const { memory } = mesh.status();
  remember(mesh, { ...memory, leaves: { ...memory.leaves, until: mesh.now() + YEAR_MS, reach: 3_600_000 } });
  const begin = mesh.now();
  await rotateTo(mesh, 2);
  expect(mesh.now() - begin).toBeLessThan(4 * 3_600_000);
});

test('the operator ignores start times and Events in the future as evidence', () => {
  const mesh = stable.copy();
  const { caches } = mesh.operator().context;
  const anchor = withDefaults(mesh.api.find('trustanchors', 'linkerd') as TrustAnchor);
  const seen = caches.view();
  const later = (ms: number): string => new Date(mesh.now() + ms).toISOString();
  const startedAt = (pod: MeshedPod, at: string): MeshedPod => ({
    ...pod,
    status: {
      containerStatuses: (pod.status?.containerStatuses ?? []).map(({ name }) => ({
        name,
        state: { running: { startedAt: at } },
      })),
    },
  });
  const view = (ms: number) => ({
    ...seen,
    anchor,
    pods: seen.pods.map((pod) => startedAt(pod, later(ms))),
    events: [{ metadata: { name: 'event' }, lastTimestamp: later(ms) }],
    issuerEnds: new Map<string, number>(),
    installedIssuer: '',
  });
  const inTime = observe(view(1_000), mesh.now()).trust;
  expect(inTime.identity.map(({ since }) => since)).toEqual([mesh.now() + 1_000]);
  expect(inTime.issuerUpdates).toHaveLength(1);
  const toCome = observe(view(60_000), mesh.now()).trust;
  expect(toCome.identity.map(({ since }) => since)).toEqual([0]);
  expect(toCome.pods.filter(({ hash }) => hash === undefined).map(({ since }) => since)).toEqual([0]);
  expect(toCome.issuerUpdates).toEqual([]);
});

describe('a wrong status.memory of the TrustAnchor', () => {
  const annotate = ({ api }: PlayedMesh, word: string): void =>
    void api.put('trustanchors', { metadata: { name: 'linkerd', annotations: { [FORGET_ANNOTATION]: word } } });

  test('is forgotten once per value of the annotation, and the operator observes everything again', async () => {
    const mesh = await meshIn('Announced');
    // A key of no generation, and a hash of no pod.
    const { memory } = mesh.status();
    remember(mesh, {
      ...memory,
      bundles: [{ hash: 'x', keys: [], since: 0 }],
      issuer: { ...memory.issuer, revision: 99 },
    });
    annotate(mesh, 'one');
    const begin = mesh.now();
    const operator = mesh.operator();
    await operator.look();
    const { forgotten, rotation, bundles } = mesh.status().memory;
    expect({ forgotten, began: rotation.began }).toEqual({ forgotten: 'one', began: begin });
    expect(bundles.map(({ since }: { readonly since: number }) => since)).toEqual([begin]);
    mesh.pass(10_000);
    await operator.look();
    expect(mesh.status().memory.rotation.began).toBe(begin);
    await rotateTo(mesh, 2);
    expect(mesh.status().memory.forgotten).toBe('one');
  });

  const memory: AnchorMemory = {
    bundles: [{ hash: 'x', keys: [], since: 1 }],
    rotated: 'two',
    rotation: { from: 'A', to: 2, key: 'B', began: 1, why: 'x', announced: 2, adopted: 3, retiring: true },
  };

  test('contains no deleted pod', async () => {
    const mesh = await meshIn('Signing');
    const { memory: signing } = mesh.status();
    const oldChains = ['shop/web-0', 'shop/gone'].map((pod) => ({ pod, until: 9 }));
    remember(mesh, { ...signing, rotation: { ...signing.rotation, oldChains } });
    const anchor = withDefaults(mesh.api.find('trustanchors', 'linkerd') as TrustAnchor);
    const view = mesh.operator().context.caches.view();
    const { trust } = observe({ ...view, anchor, issuerEnds: new Map(), installedIssuer: '' }, mesh.now());
    expect(trust.memory.rotation?.oldChains).toEqual([{ pod: 'shop/web-0', until: 9 }]);
    expect(withoutGone(memory, [])).toBe(memory);
  });

  test('is kept without the annotation, and for a value that the operator has already obeyed', () => {
    for (const word of [undefined, '']) expect(forgottenMemory(memory, word)).toBe(memory);
    const heard = { ...memory, forgotten: 'one' };
    expect(forgottenMemory(heard, 'one')).toBe(heard);
  });

  test('is forgotten, except for served values and the commitment of an irreversible rotation', () => {
    expect(forgottenMemory(memory, 'one')).toEqual({
      bundles: [],
      forgotten: 'one',
      rotated: 'two',
      rotation: { from: 'A', to: 2, key: 'B', began: 1, why: 'x', retiring: true },
    });
    const committed = { ...memory, rotation: { to: 2, began: 1, why: 'x', signing: 4, committed: true } };
    expect(forgottenMemory(committed, 'one').rotation).toEqual({ to: 2, began: 1, why: 'x', committed: true });
    const { retiring: _, ...rotation } = memory.rotation ?? { to: 0, began: 0, why: '' };
    expect(forgottenMemory({ ...memory, rotation }, 'one')).toEqual({ bundles: [], forgotten: 'one', rotated: 'two' });
  });
});
