import { type LinkedMeshes, linkedMeshes } from '../../support/anchor/played/linked-meshes';
import { pick, seededRandom } from '../../support/anchor/random';
import { runs } from '../../support/depth';

const MINUTE = 60_000;
const condition = (world: LinkedMeshes, at: number, wanted: string) =>
  world.clusters[at]?.mesh.status().conditions?.find(({ type }: { readonly type: string }) => type === wanted);

/** Clusters whose certificates all lead to the hub. */
async function joined(isConstrained: boolean, seed: number): Promise<LinkedMeshes> {
  const random = seededRandom(seed);
  const lives = new Map(['east', 'west', 'north'].map((name) => [name, (pick(random, [4, 30, 90]) ?? 4) * MINUTE]));
  const world = linkedMeshes([...lives.keys()], { isConstrained, podMs: (name) => lives.get(name) ?? MINUTE });
  for (let steps = 0; steps < 300; steps++) {
    await world.step(random, true);
    const isJoined = [1, 2].every((at) => condition(world, at, 'Certified')?.status === 'True');
    if (isJoined && world.refusals().length === 0) return world;
  }
  throw new Error(`they are not joined: ${world.refusals().join('; ')}`);
}

const isStable = (world: LinkedMeshes) =>
  world.clusters.every(({ mesh }) => mesh.status().phase === 'Stable' && mesh.status().memory?.rotation === undefined);

describe.each([true, false])('a hub and two clusters that it certifies, with a constraint: %s', (isConstrained) => {
  test.each(Array.from({ length: runs(12) }, (_, index) => index))('rotate at any time, run %d', async (seed) => {
    const world = await joined(isConstrained, seed);
    const random = seededRandom(1_000 + seed);
    for (let steps = 0; steps < 250; steps++) {
      if (random() < 0.02) pick(random, world.clusters)?.mesh.spec({ rotateNow: `${steps}` });
      await world.step(random);
      expect({ steps, refusals: world.refusals() }).toEqual({ steps, refusals: [] });
    }
    for (let steps = 0; steps < 1_000 && !isStable(world); steps++) {
      await world.step(random, true);
      expect({ steps, refusals: world.refusals() }).toEqual({ steps, refusals: [] });
    }
    expect(world.clusters.map(({ mesh }) => mesh.status().phase)).toEqual(['Stable', 'Stable', 'Stable']);
  });
});
