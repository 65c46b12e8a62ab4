import { worldOf } from '#anchor/check/check';
import type { World } from '#anchor/check/explore';
import { pick, type Random, seededRandom } from '#anchor/check/random';
import { LARGE, SMALL } from '#anchor/check/runs';
import type { Scenario } from '#anchor/check/scenario';
import type { State } from '#anchor/check/state';
import { next } from '#anchor/rotation/next';

const WALKS = 8;
const LENGTH = 50;

/** States of random walks, each with the first state of the same canonical text. */
function alike({ start, stepsFrom, canonical }: World<State>, random: Random): readonly (readonly [State, State])[] {
  const first = new Map<string, State>();
  const pairs: (readonly [State, State])[] = [];
  for (let walk = 0; walk < WALKS; walk++) {
    let state = start;
    for (let step = 0; step < LENGTH; step++) {
      const text = canonical(state);
      const before = first.get(text);
      if (before === undefined) first.set(text, state);
      else if (before !== state) pairs.push([before, state]);
      const steps = stepsFrom(state);
      const next = pick(random, steps);
      if (next === undefined) break;
      state = next.state;
    }
  }
  return pairs;
}

/** The successors of a state, without irrelevant steps. */
function successors({ stepsFrom, canonical, broken, isGoal }: World<State>, state: State): unknown {
  const own = canonical(state);
  const steps = stepsFrom(state).flatMap(({ actor, state: after }) => {
    const text = canonical(after);
    return text === own ? [] : [`${actor} ${text}`];
  });
  return { broken: broken(state), isGoal: isGoal(state), steps: [...new Set(steps)].sort() };
}

/** A memoized function: walks and pairs contain the same states repeatedly. */
function once<T>(compute: (state: State) => T): (state: State) => T {
  const known = new Map<State, T>();
  return (state) => {
    const result = known.get(state) ?? compute(state);
    known.set(state, result);
    return result;
  };
}

const SCENARIOS = [...SMALL, ...LARGE].map((scenario): [string, Scenario] => [scenario.name, scenario]);

test.each(SCENARIOS)('two states with the same canonical text have the same successors: %s', (_, scenario) => {
  const { stepsFrom, canonical, ...rest } = worldOf(scenario, next);
  const world = { ...rest, stepsFrom: once(stepsFrom), canonical: once(canonical) };
  const pairs = alike(world, seededRandom(2026));
  expect(pairs.length).toBeGreaterThan(0);
  for (const [one, other] of pairs) {
    expect(successors(world, other)).toEqual(successors(world, one));
  }
});
