import { grouped } from '#base/grouped';
import { DAY } from '#base/time-units';
import type { Time } from '../live/fields';
import type { Fact, Harm } from './fact';

/** A root cause, and the facts that follow from it. */
export interface Diagnosis {
  readonly cause: Fact;
  /** The path from the cause to its worst consequence, and further to the last effect. */
  readonly chain: readonly Fact[];
  /** Other facts that follow from the cause. */
  readonly alsoCaused: readonly Fact[];
  readonly harm: Harm;
}

/** Returns the root causes of facts, by their harm to the mesh. */
export function diagnose(facts: readonly Fact[], now: Time): readonly Diagnosis[] {
  const graph = graphOf(facts);
  const roots = facts.filter((fact) => isRoot(fact, graph));
  return roots
    .map((cause) => diagnosisOf(cause, graph, now))
    .toSorted((a, b) => compareHarm(a.harm, b.harm, now) || (a.cause.since ?? now) - (b.cause.since ?? now));
}

interface Graph {
  readonly facts: readonly Fact[];
  readonly effects: ReadonlyMap<Fact, readonly Fact[]>;
  readonly ancestors: ReadonlyMap<Fact, ReadonlySet<Fact>>;
}

function graphOf(facts: readonly Fact[]): Graph {
  const breakers = grouped(facts.flatMap((fact) => (fact.breaks ?? []).map((subject) => [subject, fact] as const)));
  const causes = new Map(
    facts.map((fact) => {
      const found = (fact.needs ?? []).flatMap((subject) => breakers.get(subject) ?? []);
      return [fact, [...new Set(found)].filter((cause) => cause !== fact)] as const;
    }),
  );
  const effects = new Map<Fact, Fact[]>(facts.map((fact) => [fact, []]));
  for (const [fact, of] of causes) for (const cause of of) effects.get(cause)?.push(fact);
  return { facts, effects, ancestors: new Map(facts.map((fact) => [fact, reachable(fact, causes)])) };
}

/** Includes the fact itself only if it is part of a cycle. */
function reachable(fact: Fact, steps: ReadonlyMap<Fact, readonly Fact[]>): ReadonlySet<Fact> {
  const found = new Set(steps.get(fact) ?? []);
  // The loop also visits the facts that it adds to the set.
  for (const one of found) for (const next of steps.get(one) ?? []) found.add(next);
  return found;
}

/** In a cycle of facts that cause each other, the oldest fact is the root. */
function isRoot(fact: Fact, { facts, ancestors }: Graph): boolean {
  const own = ancestors.get(fact) ?? new Set();
  if (own.size === 0) return true;
  if (![...own].every((one) => ancestors.get(one)?.has(fact))) return false;
  const circle = facts.filter((one) => one === fact || own.has(one));
  const [first] = circle.toSorted((a, b) => (a.since ?? Number.MAX_VALUE) - (b.since ?? Number.MAX_VALUE));
  return first === fact;
}

function diagnosisOf(cause: Fact, { effects }: Graph, now: Time): Diagnosis {
  const all = [cause, ...[...reachable(cause, effects)].filter((one) => one !== cause)];
  const worst = all.reduce((a, b) => (compareHarm(harmOf(b, now), harmOf(a, now), now) < 0 ? b : a));
  const before = longestPath(cause, effects, (fact) => fact === worst) ?? [cause];
  // A cycle ends before its cause.
  const isEnd = (fact: Fact) => (effects.get(fact) ?? []).every((next) => next === cause);
  const after = longestPath(worst, effects, isEnd) ?? [worst];
  const chain = [...new Set([...before, ...after])];
  return { cause, chain, alsoCaused: all.filter((one) => !chain.includes(one)), harm: harmOf(worst, now) };
}

function harmOf({ harm, severity }: Fact, now: Time): Harm {
  return harm ?? { rank: 2, at: severity === 'error' ? now : Number.MAX_SAFE_INTEGER };
}

/** Harm that begins later than this ranks below all harm that exists now. */
const SOON = 7 * DAY;

function compareHarm(a: Harm, b: Harm, now: Time): number {
  const rankOf = ({ rank, at }: Harm) => (at - now > SOON ? rank + 3 : rank);
  return rankOf(a) - rankOf(b) || Math.max(a.at, now) - Math.max(b.at, now);
}

function longestPath(
  start: Fact,
  effects: ReadonlyMap<Fact, readonly Fact[]>,
  isEnd: (fact: Fact) => boolean,
): readonly Fact[] | undefined {
  const longest = new Map<Fact, readonly Fact[] | undefined>();
  const pathFrom = (fact: Fact): readonly Fact[] | undefined => {
    if (isEnd(fact)) return [fact];
    if (longest.has(fact)) return longest.get(fact);
    // A fact that is already on the path leads nowhere, so that cycles end.
    longest.set(fact, undefined);
    const paths = (effects.get(fact) ?? []).flatMap((next) => {
      const path = pathFrom(next);
      return path === undefined || path.includes(fact) ? [] : [path];
    });
    const [found] = paths.toSorted((a, b) => b.length - a.length);
    const path = found && [fact, ...found];
    longest.set(fact, path);
    return path;
  };
  return pathFrom(start);
}
