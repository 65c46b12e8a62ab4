import { canonical } from './canonical';
import type { World } from './explore';
import { accepts, broken, chainName, exposed, list } from './invariant';
import { numberOf, reportText } from './observe';
import { rulesOf } from './rules';
import type { Decide, Scenario } from './scenario';
import { isAtRest } from './scenarios';
import type { Chain, Key, Report, State } from './state';
import type { Step } from './steps/step';
import { hurried, hurriedSteps } from './world';

/** Two clusters with the same anchor. Each has its own names for keys: see `Key`. */
export interface PairScenario {
  readonly name: string;
  /** The times and rules of both. */
  readonly scenario: Scenario;
  /** The scenario of the second cluster if the first certifies it. @default - the same; neither certifies the other */
  readonly certified?: Scenario;
  readonly starts: readonly [State, State];
  /** True if all certificates of the second cluster lead to the first from the start, and must continue to. */
  readonly isJoined?: boolean;
}

/** One of two clusters. Each state of a half is computed once, because pairs share it. */
interface Half {
  readonly number: number;
  readonly state: State;
  readonly steps: () => readonly Step<Half>[];
  /** Returns this half after it receives a report, in which keys have the names of this half. */
  readonly hearing: (heard: Report) => Half;
  /** The report of this half, in which keys have the names of the other half. */
  readonly reported?: Report;
}

export type Pair = readonly [Half, Half];

const NAMES = ['east', 'west'] as const;

/**
 * A world of two equal clusters. A report of one is copied to the other at any later time. All other actors act at
 * once: worlds of one cluster explore their delays.
 */
export function pairWorld(
  { name, scenario, certified, starts, isJoined = false }: PairScenario,
  decide: Decide,
): World<Pair> {
  const halfOf = halves({ ...scenario, isGoal: () => false }, decide);
  const otherOf = certified === undefined ? halfOf : halves({ ...certified, isGoal: () => false }, decide);
  const [east, west] = starts;
  return {
    name,
    start: [halfOf(east), otherOf(west)],
    stepsFrom: (pair) => {
      const own = pair.map((half) => half.steps());
      const [one, other] = own.map((steps) => steps.find(({ actor }) => actor === 'time'));
      return [
        ...own.flatMap((steps, at) => steps.flatMap((step) => (step.actor === 'time' ? [] : inPair(step, pair, at)))),
        ...copies(pair),
        ...(one && other ? [{ ...one, state: [one.state, other.state] as const }] : []),
      ];
    },
    canonical: ([one, other]) => {
      const numbers = [one.number, other.number];
      return (certified === undefined ? numbers.sort((a, b) => a - b) : numbers).join('#');
    },
    broken: ([one, other]) =>
      broken(one.state) ?? broken(other.state) ?? abroad(one, other, 'west') ?? abroad(other, one, 'east', isJoined),
    isGoal: ([one, other]) =>
      certified === undefined
        ? isDone(one, other) && isDone(other, one)
        : isAtRest(one.state) && isLed(other, one) && isCured(one, other),
    isNaturalNeeded: scenario.restarts === 'any',
  };
}

/** Whether a cluster is at rest, or its irrevocable rotation waits for a cluster that still uses the old anchor. */
function isDone({ state }: Half, { state: other }: Half): boolean {
  const waits = state.memory.rotation?.committed === true && other.issuer.secret?.signer === 'A' && isAtRest(other);
  return waits || isAtRest(state);
}

function isCured({ state: one }: Half, { state: other }: Half): boolean {
  return [[one, other] as const, [other, one] as const].every(([here, there]) => {
    const leaked = [...(here.leaked ?? []), ...(there.leaked ?? []).map(theirs)];
    const vouched = [
      ...(here.vouched ?? []),
      ...(there.vouched ?? []).map(({ key, by }) => ({ key: theirs(key), by: theirs(by) })),
    ];
    return exposed(here, { leaked, vouched }) === undefined;
  });
}

/** Whether all leaves of a cluster chain to the present anchor of the other cluster. */
function isLed({ state }: Half, { state: other }: Half): boolean {
  const key = other.issuer.secret?.signer;
  if (state.memory.rotation !== undefined || (state.memory.rotated === undefined && !state.abort)) return false;
  const isWhole = state.identity.every(({ issuer }) => key !== undefined && accepts([theirs(key)], issuer));
  return isWhole && state.leaves.every(({ chain }) => accepts([theirs(key ?? '')], chain));
}

function halves(scenario: Scenario, decide: Decide): (state: State) => Half {
  const rules = rulesOf(scenario, decide);
  const known = new Map<string, Half>();
  const halfOf = (state: State): Half => {
    const settled = hurried(state, rules);
    const text = canonical(settled, scenario);
    const before = known.get(text);
    if (before !== undefined) return before;
    let steps: readonly Step<Half>[] | undefined;
    const heard = new Map<number, Half>();
    const half: Half = {
      number: known.size,
      state: settled,
      steps: () => {
        steps ??= hurriedSteps(settled, rules).map((step) => ({ ...step, state: halfOf(step.state) }));
        return steps;
      },
      hearing: (report) => {
        const number = numberOf(report);
        const after = heard.get(number) ?? halfOf({ ...settled, heard: report });
        heard.set(number, after);
        return after;
      },
      ...(settled.reported !== undefined && { reported: heardBy(settled.reported) }),
    };
    known.set(text, half);
    return half;
  };
  return halfOf;
}

function inPair(step: Step<Half>, pair: Pair, at: number): Step<Pair> {
  return {
    ...step,
    label: () => `${NAMES[at]}: ${step.label()}`,
    state: at === 0 ? [step.state, pair[1]] : [pair[0], step.state],
  };
}

function copies(pair: Pair): readonly Step<Pair>[] {
  return ([0, 1] as const).flatMap((at) => {
    const to = pair[at];
    const { reported } = pair[at === 0 ? 1 : 0];
    if (reported === undefined) return [];
    const state = to.hearing(reported);
    const label = () => `it receives the report of the other cluster, ${reportText(reported)}`;
    return state === to ? [] : [inPair({ actor: 'copy', label, state }, pair, at)];
  });
}

function heardBy({ signing, adopted, certifier, certifiers, certified, request, given, ...more }: Report): Report {
  const { holds, isCovered, compromised, distrusts, vouched } = more;
  return {
    signing: signing.map(theirs),
    adopted: adopted.map(theirs),
    ...(certifier !== undefined && { certifier: theirs(certifier) }),
    ...(holds !== undefined && { holds: holds.map(theirs) }),
    ...(certifiers !== undefined && { certifiers: certifiers.map(theirs) }),
    ...(certified !== undefined && { certified: certified.map(theirs) }),
    ...(isCovered && { isCovered }),
    ...(compromised !== undefined && { compromised: compromised.map(theirs) }),
    ...(distrusts !== undefined && { distrusts: distrusts.map(theirs) }),
    ...(vouched !== undefined && { vouched: vouched.map(({ key, by }) => ({ key: theirs(key), by: theirs(by) })) }),
    ...(request !== undefined && { request: theirs(request) }),
    ...(given !== undefined && { given: { key: theirs(given.key), by: theirs(given.by) } }),
  };
}

/** A key of one cluster as the other one names it. */
function theirs(key: Key): Key {
  if (key === 'A') return key;
  const small = key.toLowerCase();
  return key === small ? key.toUpperCase() : small;
}

/**
 * Returns a sentence about a proxy of the other cluster that refuses a certificate of the first, if there is one.
 * Leaves that a cluster issued before it was certified chain only to its own anchor, and do not count.
 */
function abroad({ state }: Half, { state: { pods } }: Half, name: string, isJoined = false): string | undefined {
  for (const { chain } of state.leaves) {
    const { signer, over, beyond } = chain;
    if (state.isForeign && over === undefined && !isJoined) continue;
    const seen: Chain = {
      signer: theirs(signer),
      ...(over !== undefined && { over: theirs(over) }),
      ...(beyond !== undefined && { beyond: theirs(beyond) }),
    };
    const pod = pods.find((roots) => !accepts(roots, seen));
    if (pod !== undefined) {
      return `a proxy of ${name} that knows only ${list(pod)} refuses the other cluster's certificate of ${chainName(seen)}`;
    }
  }
  return undefined;
}
