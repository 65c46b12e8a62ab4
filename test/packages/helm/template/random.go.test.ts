import fc from 'fast-check';
import { askHelm } from '#test/support/helm-oracle';
import { CHART, outcome, render } from './compare-with-helm';
import { type RandomCase, randomCase, randomTokens } from './random-templates';

/** The number of batches. A high number searches for hours. */
const BATCHES = Number(process.env.RANDOM_TEMPLATE_BATCHES ?? 4);

const BATCH = { minLength: 100, maxLength: 100 };

/** The first template with another result in Helm. */
function firstDifference(cases: readonly RandomCase[]): object | undefined {
  const answers = askHelm(
    cases.map(({ template, values }) => ({ files: { ...CHART, 'templates/a.yaml': template }, values })),
  );
  return cases
    .map(({ template, values }, index) => ({
      template,
      values: JSON.stringify(values),
      helm: outcome(answers[index]),
      ours: outcome(render(template, values)),
    }))
    .find(({ helm, ours }) => helm !== ours);
}

test('random templates print the same as in Helm, or fail with the same message', () => {
  fc.assert(
    fc.property(fc.array(randomCase, BATCH), (cases) => {
      expect(firstDifference(cases)).toBeUndefined();
    }),
    { numRuns: BATCHES, endOnFailure: true },
  );
}, 600_000);

test('random tokens parse as in Helm, or are refused with the same message', () => {
  fc.assert(
    fc.property(fc.array(randomTokens, BATCH), (templates) => {
      expect(firstDifference(templates.map((template) => ({ template, values: { a: 'x' } })))).toBeUndefined();
    }),
    { numRuns: BATCHES, endOnFailure: true },
  );
}, 600_000);
