import { next } from '../rotation/next';
import { type Checked, check, worldOf } from './check';
import { contentsOf, linkedContents, pairContents } from './contents';
import type { Counterexample, WordedStep, World } from './explore';
import { GUARDS, type Guard } from './guards';
import { type CheckedWalks, checkLinked, seedsOf } from './linked/check-linked';
import { LINKED_WITHOUT, WALKS } from './linked/linked-runs';
import type { LinkedWorld } from './linked/walk';
import { LINKED } from './linked/worlds';
import { nextWithout } from './next-without';
import { type PairScenario, pairWorld } from './pair';
import { LARGE_PAIRS, PAIRS_WITHOUT, SMALL_PAIRS } from './pair-runs';
import { FOR_ORDERS, LARGE, LARGE_LEAKS, LEAKS, SMALL, WITHOUT } from './runs';
import type { Decide } from './scenario';

/** A world to explore, or an order or a missing guard that must break one. */
export interface Task {
  readonly name: string;
  /** Whether a mesh must break. */
  readonly mustBreak: boolean;
  readonly run: () => Promise<Outcome> | Outcome;
}

/** What a task has found. */
export interface Outcome {
  readonly isGood: boolean;
  /** The lines of the report. */
  readonly text: string;
  readonly states: number;
  readonly transitions: number;
  readonly walks: number;
}

/** What to check. */
export interface Choice {
  /** Only the small worlds, and few walks. */
  readonly small: boolean;
  /** Only worlds, orders and guards whose names contain this text. */
  readonly only: string;
  /** Whether to print the counterexamples of bad orders and of missing guards. */
  readonly verbose: boolean;
}

/** More states than any world has. */
const MAX = 4_000_000;

const NOTHING = { states: 0, transitions: 0, walks: 0 };

/** Lists all tasks in the order of the report: worlds first, then what must break. */
export function tasksOf({ small, only, verbose }: Choice): readonly Task[] {
  const worlds = [...SMALL, ...LEAKS, ...(small ? [] : [...LARGE, ...LARGE_LEAKS])];
  const pairs = small ? SMALL_PAIRS : [...SMALL_PAIRS, ...LARGE_PAIRS];
  const seeds = seedsOf(small ? WALKS.small : WALKS.large);
  const tasks: readonly Task[] = [
    ...LINKED.map((world) => walking(world, seeds)),
    ...worlds.map((scenario) => exploring(worldOf(scenario, next), contentsOf(scenario))),
    ...pairs.map((scenario) => exploring(pairWorld(scenario, next), pairContents(scenario))),
    ...FOR_ORDERS.map(({ order, scenario }) =>
      breaking(order.name, verbose, async () => {
        const decide = typeof order.decide === 'string' ? await nextWithout(order.decide) : order.decide;
        return explored(worldOf(scenario, decide));
      }),
    ),
    ...GUARDS.map((guard) =>
      breaking(`without "${guard}"`, verbose, async () => withoutGuard(guard, await nextWithout(guard))),
    ),
  ];
  return tasks.filter(({ name }) => name.includes(only));
}

function exploring<S>(world: World<S>, contents: string): Task {
  const run = (): Outcome => {
    const checked = check(world, MAX);
    const { states, transitions } = checked;
    return { ...NOTHING, isGood: isGood(checked), text: exploredText(checked, contents), states, transitions };
  };
  return { name: world.name, mustBreak: false, run };
}

function walking(world: LinkedWorld, seeds: readonly number[]): Task {
  const run = async (): Promise<Outcome> => {
    const checked = await checkLinked(world, next, seeds);
    const { walks, counterexample } = checked;
    const text = walkedText(checked, linkedContents(world));
    return { ...NOTHING, isGood: counterexample === undefined, text, walks };
  };
  return { name: world.name, mustBreak: false, run };
}

/** How a mesh breaks: the number of lines or steps, and what they say. */
interface Breakage {
  readonly size: string;
  readonly text: string;
}

function breaking(name: string, isVerbose: boolean, find: () => Promise<Breakage | undefined>): Task {
  const run = async (): Promise<Outcome> => {
    const found = await find();
    const text =
      found === undefined
        ? `FINE   ${name}: nothing breaks`
        : `breaks ${found.size}  ${name}${isVerbose ? `\n${found.text}` : ''}`;
    return { ...NOTHING, isGood: found !== undefined, text };
  };
  return { name, mustBreak: true, run };
}

async function withoutGuard(guard: Guard, decide: Decide): Promise<Breakage | undefined> {
  const linked: Partial<Record<Guard, (typeof LINKED_WITHOUT)[keyof typeof LINKED_WITHOUT]>> = LINKED_WITHOUT;
  const pairs: Partial<Record<Guard, PairScenario>> = PAIRS_WITHOUT;
  const [walk, pair] = [linked[guard], pairs[guard]];
  if (walk !== undefined) {
    const { counterexample, steps } = await checkLinked(walk.world, decide, [walk.seed]);
    return counterexample && { size: `${String(steps).padStart(3)} steps`, text: walkText(counterexample) };
  }
  if (pair !== undefined) return explored(pairWorld(pair, decide));
  return explored(worldOf(WITHOUT[guard as keyof typeof WITHOUT], decide));
}

function explored<S>(world: World<S>): Breakage | undefined {
  const { counterexample } = check(world, MAX);
  if (counterexample === undefined) return undefined;
  const lines = linesOf(counterexample.steps).length;
  return { size: `${String(lines).padStart(3)} lines`, text: counterexampleText(counterexample) };
}

function isGood({ isComplete, counterexample, stuck }: Checked): boolean {
  return isComplete && counterexample === undefined && stuck === 0;
}

function walkedText({ name, walks, steps, seconds, counterexample }: CheckedWalks, contents: string): string {
  const size = `${String(walks).padStart(10)} walks  ${steps.toLocaleString('en').padStart(11)} steps`;
  const verdict = counterexample === undefined ? 'ok    ' : 'BROKEN';
  const lines = [`${verdict} ${size} ${seconds.toFixed(1).padStart(6)} s  ${name}`, `       ${contents}`];
  return [...lines, ...(counterexample === undefined ? [] : [walkText(counterexample)])].join('\n');
}

function walkText({ seed, what, log }: NonNullable<CheckedWalks['counterexample']>): string {
  return [`       walk ${seed} ends with:`, ...log.map((line) => `       ${line}`), `  => ${what}`].join('\n');
}

function exploredText(checked: Checked, contents: string): string {
  const { name, states, transitions, seconds, counterexample, stuck, stuckExample, isComplete } = checked;
  const size = `${states.toLocaleString('en').padStart(10)} states ${transitions.toLocaleString('en').padStart(11)} steps`;
  const verdict = isGood(checked) ? 'ok    ' : 'BROKEN';
  const lines = [`${verdict} ${size} ${seconds.toFixed(1).padStart(6)} s  ${name}`, `       ${contents}`];
  if (counterexample !== undefined) lines.push(counterexampleText(counterexample));
  else if (!isComplete) lines.push('       too many states');
  if (stuckExample !== undefined) {
    lines.push(`${stuck} states from which the goal cannot be reached:`, counterexampleText(stuckExample));
  }
  return lines.join('\n');
}

/**
 * A counterexample, one line for each decision of the operator and for each step of another actor. Actions that follow
 * a decision at once have no line of their own.
 */
function counterexampleText({ what, steps }: Counterexample): string {
  const lines = linesOf(steps).map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
  return [...lines, `  => ${what}`].join('\n');
}

function linesOf(steps: readonly WordedStep[]): readonly string[] {
  const lines: string[] = [];
  let ticks = 0;
  for (const [index, { actor, text, isExpected }] of steps.entries()) {
    if (actor === 'time') ticks++;
    else if (ticks > 0) {
      lines.push(ticks === 1 ? 'a tick passes' : `${ticks} ticks pass`);
      ticks = 0;
    }
    const before = steps[index - 1];
    const isSaid = isExpected && before?.actor.replace('late ', '') === actor;
    if (actor !== 'time' && !isSaid) lines.push(text);
  }
  return lines;
}
