import { parseArgs } from 'node:util';
import { GUARDS } from '../../operator/api/anchor/guards';
import { type Checked, check, nextWithout } from './check';
import { counterexampleText, linesOf } from './counterexample';
import { FOR_ORDERS, LARGE, SMALL, WITHOUT } from './runs';

const USAGE = `Explores all that may happen to a mesh while its trust anchor is rotated.

npm run anchor:check [-- --small] [--verbose]

  --small    the small worlds only: what the tests run
  --verbose  prints the counterexamples of bad orders and of missing guards
`;

/** More than any world has. */
const MOST = 8_000_000;

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
} else {
  process.exitCode = run(values.small, values.verbose) ? 0 : 1;
}

function run(isSmall: boolean, isVerbose: boolean): boolean {
  const began = performance.now();
  const worlds = isSmall ? SMALL : [...SMALL, ...LARGE];
  const checked = worlds.map((scenario) => told(check(scenario, nextWithout(), MOST)));
  console.log('\nMust break:');
  const orders = FOR_ORDERS.map(({ order, scenario }) =>
    broken(order.name, check(scenario, order.decide, MOST), isVerbose),
  );
  const guards = GUARDS.map((guard) =>
    broken(`without "${guard}"`, check(WITHOUT[guard], nextWithout(guard), MOST), isVerbose),
  );
  const sum = (of: (one: Checked) => number): string =>
    checked.reduce((total, one) => total + of(one), 0).toLocaleString('en');
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `\n${sum(({ states }) => states)} states, ${sum(({ transitions }) => transitions)} steps, ${seconds} s, ${memory} MiB`,
  );
  return checked.every(isGood) && [...orders, ...guards].every(Boolean);
}

function isGood({ isComplete, counterexample, stuck }: Checked): boolean {
  return isComplete && counterexample === undefined && stuck === 0;
}

function told(checked: Checked): Checked {
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
