import { RenderBudget } from '#helm/go/budget';
import { builtinFunctions } from '#helm/template/builtin-functions';
import { executeTemplate } from '#helm/template/execute';
import { parseTemplate } from '#helm/template/parse';
import { sampled } from '#test/support/depth';
import { allCalls, type Cost, costOf, type TriedCall } from './costs';

/** The length of texts, lists and maps. A function with quadratic work takes a hundred times as long as others. */
const LENGTH = 4_000;

/** The maximum time of a function's step, in steps of an ordinary template. */
const MAX = 25;

/** Shorter times are not measured. */
const MIN_MICROSECONDS = 1_000;

/** The microseconds of a step of an ordinary template, on this machine and now. */
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

/** Repeats a slow measurement: lazy loading or other processes may have caused it. */
function cheapest(call: TriedCall, isFine: (cost: Cost) => boolean): Cost {
  let cost = costOf(call);
  for (let again = 0; again < 4 && !isFine(cost); again += 1) {
    const times = Math.max(1, Math.ceil(5_000 / cost.microseconds));
    const next = costOf(call, times);
    if (perStep(next) < perStep(cost)) cost = next;
  }
  return cost;
}

test('no function takes too long for the steps that it costs, whatever its arguments', () => {
  baseline();
  const most = MAX * Math.max(baseline(), baseline());
  const isFine = (cost: Cost) => cost.microseconds < MIN_MICROSECONDS || perStep(cost) < most;

  const dear = sampled(allCalls(LENGTH))
    .map((call) => cheapest(call, isFine))
    .filter((cost) => !isFine(cost))
    .map(({ name, args, microseconds, steps }) => `${name} ${args}: ${microseconds} us, ${Math.round(steps)} steps`);

  expect(dear).toEqual([]);
}, 180_000);
