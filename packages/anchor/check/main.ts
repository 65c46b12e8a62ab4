import { parseArgs } from 'node:util';
import { next } from '../rotation/next';
import { type Checked, check, worldOf } from './check';
import type { Counterexample, WordedStep } from './explore';
import { GUARDS, type Guard } from './guards';
import { nextWithout } from './next-without';
import { type PairScenario, pairWorld } from './pair';
import { LARGE_PAIRS, PAIRS_WITHOUT, SMALL_PAIRS } from './pair-runs';
import { FOR_ORDERS, LARGE, LARGE_LEAKS, LEAKS, SMALL, WITHOUT } from './runs';

const USAGE = `Explores all that may happen to a mesh while its trust anchor is rotated.

node --max-old-space-size=4096 tools/start/start.cjs packages/anchor/check/main.ts [-- --small] [--only TEXT] [--verbose]

  --small    the small worlds only: what the tests run
  --only     the worlds alone whose names hold this text
  --verbose  prints the counterexamples of bad orders and of missing guards
`;

/** More than any world has. */
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
  const checked = [
    ...worlds.map((scenario) => printed(check(worldOf(scenario, next), MAX))),
    ...pairs.map((scenario) => printed(check(pairWorld(scenario, next), MAX))),
  ];
  console.log('\nMust break:');
  const expected: boolean[] = [];
  for (const { order, scenario } of FOR_ORDERS.filter(({ order }) => isMeant(order))) {
    const decide = typeof order.decide === 'string' ? await nextWithout(order.decide) : order.decide;
    expected.push(broken(order.name, check(worldOf(scenario, decide), MAX), verbose));
  }
  for (const guard of GUARDS.filter((name) => isMeant({ name }))) {
    expected.push(broken(`without "${guard}"`, await checkWithout(guard), verbose));
  }
  const sum = (of: (one: Checked) => number): string =>
    checked.reduce((total, one) => total + of(one), 0).toLocaleString('en');
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `\n${sum(({ states }) => states)} states, ${sum(({ transitions }) => transitions)} steps, ${seconds} s, ${memory} MiB`,
  );
  process.exitCode = checked.every(isGood) && expected.every(Boolean) ? 0 : 1;
}

async function checkWithout(guard: Guard): Promise<Checked> {
  const decide = await nextWithout(guard);
  const pairs: Partial<Record<Guard, PairScenario>> = PAIRS_WITHOUT;
  const pair = pairs[guard];
  if (pair !== undefined) return check(pairWorld(pair, decide), MAX);
  return check(worldOf(WITHOUT[guard as keyof typeof WITHOUT], decide), MAX);
}

function isGood({ isComplete, counterexample, stuck }: Checked): boolean {
  return isComplete && counterexample === undefined && stuck === 0;
}

function printed(checked: Checked): Checked {
  const { name, states, transitions, seconds, counterexample, stuck, stuckExample, isComplete } = checked;
  const size = `${states.toLocaleString('en').padStart(10)} states ${transitions.toLocaleString('en').padStart(11)} steps`;
  console.log(`${isGood(checked) ? 'ok    ' : 'BROKEN'} ${size} ${seconds.toFixed(1).padStart(6)} s  ${name}`);
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
 * A counterexample, one line for each look of the operator and for each step that somebody else makes. What follows at
 * once, as was decided, is not said again.
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
