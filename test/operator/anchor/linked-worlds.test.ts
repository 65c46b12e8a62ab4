import { MINUTE } from '#base/time-units';
import { type Linked, type LinkedMeshes, linkedMeshes } from '../../support/anchor/played/linked-meshes';
import { condition, type PlayedMesh } from '../../support/anchor/played/played-mesh';
import { pick, type Random, seededRandom } from '../../support/anchor/random';
import { sampled } from '../../support/depth';

const PROMPT = true;

/** Clusters whose certificates all lead to the hub. */
async function joined(isConstrained: boolean, seed: number): Promise<LinkedMeshes> {
  const random = seededRandom(seed);
  const lives = new Map(['east', 'west', 'north'].map((name) => [name, (pick(random, [4, 30, 90]) ?? 4) * MINUTE]));
  const world = linkedMeshes([...lives.keys()], { isConstrained, podMs: (name) => lives.get(name) ?? MINUTE });
  const isJoined = () =>
    world.clusters.slice(1).every(({ mesh }) => condition(mesh, 'Certified').status === 'True') &&
    world.refusals().length === 0;
  await until(world, isJoined, random);
  return world;
}

/** Lets time pass, in which all do at once what they are to do. */
async function until(world: LinkedMeshes, isThere: () => boolean, random: Random, check = () => {}): Promise<void> {
  for (let steps = 0; !isThere(); steps++) {
    if (steps > 1_500) throw new Error(`it never gets there: ${statusText(world)}`);
    await world.step(random, PROMPT);
    check();
  }
}

const statusText = (world: LinkedMeshes): string =>
  JSON.stringify([world.refusals(), ...world.clusters.map(({ mesh }) => mesh.status().conditions)]);

const isStable = ({ mesh }: { readonly mesh: PlayedMesh }) =>
  mesh.status().phase === 'Stable' && mesh.status().memory?.rotation === undefined;

const compromised = (mesh: PlayedMesh): readonly string[] =>
  mesh.api.find('trustanchors', 'linkerd')?.spec.compromised ?? [];

/** Names a leaked key where a status asks for it. */
function nameReported({ clusters }: LinkedMeshes): void {
  const give = (mesh: PlayedMesh | undefined, key: string | undefined): void => {
    if (mesh === undefined || key === undefined || compromised(mesh).includes(key)) return;
    mesh.spec({ compromised: [...compromised(mesh), key] });
  };
  for (const { mesh } of clusters) {
    const { status, reason, message = '' } = condition(mesh, 'Distrusted');
    if (status !== 'False') continue;
    if (reason === 'Reported') give(mesh, /the key ([0-9a-f]{64})/.exec(message)?.[1]);
    const [, key, name] = /name the key ([0-9a-f]{64}) in spec.compromised of cluster (\w+)/.exec(message) ?? [];
    give(clusters.find((one) => one.name === name)?.mesh, key);
  }
}

/** No status says that something may trust a leaked key. */
const isCured = ({ mesh }: { readonly mesh: PlayedMesh }) => {
  const { status = 'True', reason } = condition(mesh, 'Distrusted');
  return status === 'True' || reason === 'UnknownKey';
};

function loseSecret({ api }: PlayedMesh, random: Random): readonly string[] {
  const name = pick(random, api.list('secrets', 'cert-manager'))?.metadata.name;
  if (name === undefined) return [];
  api.remove('secrets', `cert-manager/${name}`);
  return [name];
}

/** An attacker gets a key: users name it in its cluster, and perhaps in others. */
function tellLeak(world: LinkedMeshes, one: Linked, leaked: Set<string>, random: Random): void {
  const key = world.leak(one, random);
  if (key === undefined) return;
  leaked.add(key);
  for (const other of world.clusters) {
    if (other === one || random() < 0.7) other.mesh.spec({ compromised: [...leaked] });
  }
}

interface Mishaps {
  readonly lost: string[];
  readonly leaked: Set<string>;
  readonly random: Random;
  readonly word: string;
}

/** A rotation begins somewhere, a Secret is lost, or a key leaks; or nothing happens. */
function mishap(world: LinkedMeshes, { lost, leaked, random, word }: Mishaps): void {
  const one = pick(random, world.clusters);
  if (one === undefined) return;
  if (random() < 0.02) one.mesh.spec({ rotateNow: word });
  if (lost.length < 2 && random() < 0.02) lost.push(...loseSecret(one.mesh, random));
  if (leaked.size < 2 && random() < 0.015) tellLeak(world, one, leaked, random);
}

const SEEDS = sampled([0, 1, 2, 3, 4]);

describe.each(sampled([true, false]))(
  'a hub and two clusters that it certifies, with a constraint: %s',
  (isConstrained) => {
    test.each(SEEDS)('rotate, pause and abort at any time, and no proxy refuses another one: run %d', async (seed) => {
      const world = await joined(isConstrained, seed);
      const random = seededRandom(1_000 + seed);
      const check = () => expect(world.refusals()).toEqual([]);
      for (let steps = 0; steps < 250; steps++) {
        const { mesh } = pick(random, world.clusters) ?? {};
        if (random() < 0.02) mesh?.spec({ rotateNow: `${steps}` });
        if (random() < 0.01) mesh?.spec({ abort: random() < 0.4 });
        if (random() < 0.005) mesh?.spec({ paused: random() < 0.3 });
        await world.step(random);
        check();
      }
      for (const { mesh } of world.clusters) mesh.spec({ abort: false, paused: false });
      await until(world, () => world.clusters.every(isStable), random, check);
    });

    test.each(SEEDS)('lose Secrets and keys at any time, and get over it: run %d', async (seed) => {
      const world = await joined(isConstrained, seed);
      const random = seededRandom(1_000 + seed);
      const leaked = new Set<string>();
      const check = () => expect(world.falseAllClears()).toEqual([]);
      const lost: string[] = [];
      for (let steps = 0; steps < 120; steps++) {
        mishap(world, { lost, leaked, random, word: `${steps}` });
        await world.step(random);
        check();
      }
      if (leaked.size > 0) for (const { mesh } of world.clusters) mesh.spec({ compromised: [...leaked] });
      const isCalm = () =>
        world.clusters.every((one) => isStable(one) && isCured(one)) && world.refusals().length === 0;
      await until(world, isCalm, random, () => {
        check();
        nameReported(world);
      });
    });
  },
);
