import { parseArgs } from 'node:util';
import { next } from '../rotation/next';
import { type Checked, check, worldOf } from './check';
import { contentsOf, linkedContents, pairContents } from './contents';
import type { Counterexample, WordedStep } from './explore';
import { GUARDS, type Guard } from './guards';
import { type CheckedWalks, checkLinked, seedsOf } from './linked/check-linked';
import { LINKED_WITHOUT, WALKS } from './linked/linked-runs';
import { LINKED } from './linked/worlds';
import { nextWithout } from './next-without';
import { type PairScenario, pairWorld } from './pair';
import { LARGE_PAIRS, PAIRS_WITHOUT, SMALL_PAIRS } from './pair-runs';
import { FOR_ORDERS, LARGE, LARGE_LEAKS, LEAKS, SMALL, WITHOUT } from './runs';
import type { Decide } from './scenario';

const USAGE = `Explores all that may happen to a mesh while its trust anchor is rotated.

node tools/start/start.cjs packages/anchor/check/main.ts [--small] [--only TEXT] [--verbose]

Worlds of one and two clusters are explored completely; in those of a hub and the clusters that it certifies, walks are
taken at random, by seeds. Below each world is what it contains.

  --small    the small worlds only, and few walks: what the tests run
  --only     the worlds alone whose names hold this text
  --verbose  prints the counterexamples of bad orders and of missing guards
`;

/** More states than any world has. */
const MAX = 8_000_000;

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else void run(values);

async function run({ small, only, verbose }: { small: boolean; only: string; verbose: boolean }): Promise<void> {
  const began = performance.now();
  const isMeant = ({ name }: { readonly name: string }): boolean => name.includes(only);
  const worlds = [...SMALL, ...LEAKS, ...(small ? [] : [...LARGE, ...LARGE_LEAKS])].filter(isMeant);
  const pairs = (small ? SMALL_PAIRS : [...SMALL_PAIRS, ...LARGE_PAIRS]).filter(isMeant);
  const seeds = seedsOf(small ? WALKS.small : WALKS.large);
  const walked: CheckedWalks[] = [];
  for (const world of LINKED.filter(isMeant)) {
    walked.push(printedWalks(await checkLinked(world, next, seeds), linkedContents(world)));
  }
  const checked = [
    ...worlds.map((scenario) => printed(check(worldOf(scenario, next), MAX), contentsOf(scenario))),
    ...pairs.map((scenario) => printed(check(pairWorld(scenario, next), MAX), pairContents(scenario))),
  ];
  console.log('\nMust break:');
  const expected: boolean[] = [];
  for (const { order, scenario } of FOR_ORDERS.filter(({ order }) => isMeant(order))) {
    const decide = typeof order.decide === 'string' ? await nextWithout(order.decide) : order.decide;
    expected.push(broken(order.name, check(worldOf(scenario, decide), MAX), verbose));
  }
  for (const guard of GUARDS.filter((name) => isMeant({ name }))) {
    expected.push(await missed(guard, verbose));
  }
  const sum = (of: (one: Checked) => number): string =>
    checked.reduce((total, one) => total + of(one), 0).toLocaleString('en');
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const memory = Math.round(maxRSS / 1024);
  // CPU time, as the wall clock's time depends on what else the machine does.
  const cpu = ((userCPUTime + systemCPUTime) / 1_000_000).toFixed(0);
  const explored = `${sum(({ states }) => states)} states, ${sum(({ transitions }) => transitions)} steps`;
  const walks = walked.reduce((total, one) => total + one.walks, 0).toLocaleString('en');
  console.log(`\n${explored}, ${walks} walks, ${seconds} s (${cpu} s CPU), ${memory} MiB`);
  const isWalkGood = walked.every(({ counterexample }) => counterexample === undefined);
  process.exitCode = isWalkGood && checked.every(isGood) && expected.every(Boolean) ? 0 : 1;
}

/** Whether something breaks without a guard. */
async function missed(guard: Guard, isVerbose: boolean): Promise<boolean> {
  const decide = await nextWithout(guard);
  const linked: Partial<Record<Guard, (typeof LINKED_WITHOUT)[keyof typeof LINKED_WITHOUT]>> = LINKED_WITHOUT;
  const walk = linked[guard];
  const name = `without "${guard}"`;
  if (walk === undefined) return broken(name, checkWithout(guard, decide), isVerbose);
  const { counterexample, steps } = await checkLinked(walk.world, decide, [walk.seed]);
  if (counterexample === undefined) {
    console.log(`FINE   ${name}: nothing breaks`);
    return false;
  }
  console.log(`breaks ${String(steps).padStart(3)} steps  ${name}`);
  if (isVerbose) console.log(walkText(counterexample));
  return true;
}

function checkWithout(guard: Guard, decide: Decide): Checked {
  const pairs: Partial<Record<Guard, PairScenario>> = PAIRS_WITHOUT;
  const pair = pairs[guard];
  if (pair !== undefined) return check(pairWorld(pair, decide), MAX);
  return check(worldOf(WITHOUT[guard as keyof typeof WITHOUT], decide), MAX);
}

function isGood({ isComplete, counterexample, stuck }: Checked): boolean {
  return isComplete && counterexample === undefined && stuck === 0;
}

function printedWalks(checked: CheckedWalks, contents: string): CheckedWalks {
  const { name, walks, steps, seconds, counterexample } = checked;
  const size = `${String(walks).padStart(10)} walks  ${steps.toLocaleString('en').padStart(11)} steps`;
  const verdict = counterexample === undefined ? 'ok    ' : 'BROKEN';
  console.log(`${verdict} ${size} ${seconds.toFixed(1).padStart(6)} s  ${name}\n       ${contents}`);
  if (counterexample !== undefined) console.log(walkText(counterexample));
  return checked;
}

function walkText({ seed, what, log }: NonNullable<CheckedWalks['counterexample']>): string {
  return [`       walk ${seed} ends with:`, ...log.map((line) => `       ${line}`), `  => ${what}`].join('\n');
}

function printed(checked: Checked, contents: string): Checked {
  const { name, states, transitions, seconds, counterexample, stuck, stuckExample, isComplete } = checked;
  const size = `${states.toLocaleString('en').padStart(10)} states ${transitions.toLocaleString('en').padStart(11)} steps`;
  console.log(
    `${isGood(checked) ? 'ok    ' : 'BROKEN'} ${size} ${seconds.toFixed(1).padStart(6)} s  ${name}\n       ${contents}`,
  );
  if (counterexample !== undefined) console.log(counterexampleText(counterexample));
  else if (!isComplete) console.log('       too many states');
  if (stuckExample !== undefined)
    console.log(`${stuck} states from which it does not end:\n${counterexampleText(stuckExample)}`);
  return checked;
}

function broken(name: string, { counterexample }: Checked, isVerbose: boolean): boolean {
  if (counterexample === undefined) {
    console.log(`FINE   ${name}: nothing breaks`);
    return false;
  }
  console.log(`breaks ${String(linesOf(counterexample.steps).length).padStart(3)} lines  ${name}`);
  if (isVerbose) console.log(counterexampleText(counterexample));
  return true;
}

/**
 * A counterexample, one line for each decision of the operator and for each step of another actor. Actions that follow
 * a decision at once have no line of their own.
 */
function counterexampleText({ what, steps }: Counterexample): string {
  const lines = linesOf(steps).map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
  return [...lines, `  => ${what}`].join('\n');
}

/** The steps in words. */
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
