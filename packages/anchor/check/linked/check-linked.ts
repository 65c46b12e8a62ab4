import type { Decide } from '../scenario';
import { linkedModel } from './model';
import { type LinkedWorld, turnsOf, walk } from './walk';

/** The result of some walks in a world of linked clusters. */
export interface CheckedWalks {
  readonly name: string;
  readonly walks: number;
  readonly steps: number;
  readonly seconds: number;
  /** The first walk that failed, with the last lines of its log. */
  readonly counterexample?: { readonly seed: number; readonly what: string; readonly log: readonly string[] };
}

/** The number of lines of a counterexample that are shown. */
const LAST = 18;

/** Takes one random walk in a world for each seed, until a walk fails. */
export async function checkLinked(world: LinkedWorld, decide: Decide, seeds: readonly number[]): Promise<CheckedWalks> {
  const began = performance.now();
  let steps = 0;
  for (const [index, seed] of seeds.entries()) {
    const model = linkedModel(world, decide, seed);
    const end = await walk(world, model, turnsOf(world, seed));
    steps += end.steps;
    if (end.wrong === undefined && index < seeds.length - 1) continue;
    const counterexample = end.wrong && { seed, what: end.wrong, log: model.log.slice(-LAST) };
    const seconds = (performance.now() - began) / 1_000;
    return { name: world.name, walks: index + 1, steps, seconds, ...(counterexample && { counterexample }) };
  }
  return { name: world.name, walks: 0, steps, seconds: 0 };
}

/** The seeds of a number of walks. */
export function seedsOf(walks: number): readonly number[] {
  return Array.from({ length: walks }, (_, seed) => seed);
}
