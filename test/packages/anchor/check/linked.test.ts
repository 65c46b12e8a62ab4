import { contentsOf, linkedContents, pairContents } from '#anchor/check/contents';
import { checkLinked, seedsOf } from '#anchor/check/linked/check-linked';
import { LINKED_WITHOUT, WALKS } from '#anchor/check/linked/linked-runs';
import { LINKED } from '#anchor/check/linked/worlds';
import { LARGE_PAIRS, SMALL_PAIRS } from '#anchor/check/pair-runs';
import { LARGE, LARGE_LEAKS, LEAKS, SMALL } from '#anchor/check/runs';
import { next } from '#anchor/rotation/next';
import { runs } from '#test/support/depth';

const NAMED = LINKED.map((world) => [world.name, world] as const);

test.each(NAMED)('the model checker finds no failure with %s', async (_, world) => {
  const { counterexample, steps } = await checkLinked(world, next, seedsOf(runs(WALKS.small - 2)));
  expect(counterexample).toBeUndefined();
  expect(steps).toBeGreaterThanOrEqual(world.steps);
});

const FOUND = Object.entries(LINKED_WITHOUT).map(([guard, { world, seed }]) => [guard, world, seed] as const);

test.each(FOUND)('the events that fail without the guard %s succeed with it', async (_, world, seed) => {
  expect((await checkLinked(world, next, [seed])).counterexample).toBeUndefined();
});

test('each world describes its contents', () => {
  const [first] = SMALL;
  const all = [
    ...[...SMALL, ...LARGE, ...LEAKS, ...LARGE_LEAKS].map(contentsOf),
    ...[...SMALL_PAIRS, ...LARGE_PAIRS].map(pairContents),
    ...LINKED.map(linkedContents),
  ];
  expect(first && contentsOf(first)).toBe(
    'one cluster; anchors, signer, issuer, bundle, pods, identity seen late; pods restart at any time; every interleaving',
  );
  const needed = [
    'a hub that certifies 2 clusters, each for its trust domain',
    'X.509 paths with expiries, path lengths and name constraints, over bridges and bridges of bridges',
    'reports arrive late and in any order',
    'clocks up to 20 s apart',
    'cert-manager pauses for up to 10 steps',
    '2 Secrets lost',
    '2 keys leaked',
  ];
  expect(needed.filter((part) => all.every((text) => !text.split('; ').includes(part)))).toEqual([]);
});
