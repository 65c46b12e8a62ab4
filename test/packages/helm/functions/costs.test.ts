import { RenderBudget } from '#helm/go/budget';
import { builtinFunctions } from '#helm/template/builtin-functions';
import { executeTemplate } from '#helm/template/execute';
import { parseTemplate } from '#helm/template/parse';
import { sampled } from '#test/support/depth';
import { allCalls, type Cost, costOf, type TriedCall } from './costs';

/** Of texts, lists and maps: a function whose work grows with the square of it takes a hundred times as long as others. */
const LENGTH = 4_000;

/** A step of a function may take so many times as long as one of an ordinary template. */
const MAX = 25;

/** Less is not measured. */
const MIN_MICROSECONDS = 1_000;

/** Microseconds that a step of an ordinary template takes, on this machine and now. */
function baseline(): number {
  const text = '{{ range 20000 }}{{ if eq $.x "a" }}{{ printf "%s-%d" $.x . }}{{ end }}{{ end }}';
  const budget = new RenderBudget();
  const templates = parseTemplate('a', text, new Set());
  const started = process.cpuUsage();
  executeTemplate(templates, 'a', new Map([['x', 'a']]), { functions: builtinFunctions, budget });
  const { user, system } = process.cpuUsage(started);
  return (user + system) / budget.spent;
}

const perStep = ({ microseconds, steps }: Cost) => microseconds / steps;

/** Measures again what seems to take long: it may be the first use of what is loaded, or the neighbours' turn. */
function cheapest(call: TriedCall, isFine: (cost: Cost) => boolean): Cost {
  let cost = costOf(call);
  for (let again = 0; again < 4 && !isFine(cost); again += 1) {
    const times = Math.max(1, Math.ceil(5_000 / cost.microseconds));
    const next = costOf(call, times);
    if (perStep(next) < perStep(cost)) cost = next;
  }
  return cost;
}

test('no function takes long for the steps that it spends, whatever its arguments are', () => {
  baseline();
  const most = MAX * Math.max(baseline(), baseline());
  const isFine = (cost: Cost) => cost.microseconds < MIN_MICROSECONDS || perStep(cost) < most;

  const dear = sampled(allCalls(LENGTH))
    .map((call) => cheapest(call, isFine))
    .filter((cost) => !isFine(cost))
    .map(({ name, args, microseconds, steps }) => `${name} ${args}: ${microseconds} us, ${Math.round(steps)} steps`);

  expect(dear).toEqual([]);
}, 180_000);
