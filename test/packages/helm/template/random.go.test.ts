import fc from 'fast-check';
import { askHelm } from '#test/support/helm-oracle';
import { CHART, outcome, render } from './compare-with-helm';
import { type RandomCase, randomCase, randomTokens } from './random-templates';

/** How many batches to try; set it high to search for hours. */
const BATCHES = Number(process.env.RANDOM_TEMPLATE_BATCHES ?? 4);

const BATCH = { minLength: 100, maxLength: 100 };

/** The first template that Helm treats otherwise. */
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

test('Random templates print what they print in Helm, or fail with the same message.', () => {
  fc.assert(
    fc.property(fc.array(randomCase, BATCH), (cases) => {
      expect(firstDifference(cases)).toBeUndefined();
    }),
    { numRuns: BATCHES, endOnFailure: true },
  );
}, 600_000);

test('Random tokens parse as in Helm, or are refused with the same message.', () => {
  fc.assert(
    fc.property(fc.array(randomTokens, BATCH), (templates) => {
      expect(firstDifference(templates.map((template) => ({ template, values: { a: 'x' } })))).toBeUndefined();
    }),
    { numRuns: BATCHES, endOnFailure: true },
  );
}, 600_000);
