import { turnsOf, walk } from '#anchor/check/linked/walk';
import { LINKED } from '#anchor/check/linked/worlds';
import { linkedMeshes } from '../../support/anchor/played/linked-meshes';
import { sampled } from '../../support/depth';

/** Worlds of the checker with three clusters, in which the operator's executor issues real certificates. */
const WORLDS = LINKED.filter(({ issuer, anchors }) => issuer === undefined && anchors === undefined);

const SEEDS = [0, 1, 2, 3, 4];

describe.each(WORLDS.map((world) => [world.name, world] as const))('for %s,', (_, world) => {
  test.each(sampled(SEEDS))(
    'real certificates verify in every state of the random walk %d, and the walk takes all its steps',
    async (seed) => {
      const end = await walk(world, linkedMeshes(world, seed), turnsOf(world, seed));
      expect(end).toEqual({ steps: expect.any(Number) });
      expect(end.steps).toBeGreaterThanOrEqual(world.steps);
    },
  );
});
