import fc from 'fast-check';
import { readAnyConstraint } from '#helm/functions/any-constraint';
import { readConstraint } from '#helm/functions/constraints';
import { UNLIMITED } from '#helm/go/budget';
import { FunctionError } from '#helm/go/values';

const OPERATORS = ['', '=', '!=', '>', '<', '>=', '=>', '<=', '=<', '~', '~>', '^'];
const VERSIONS = [
  '1',
  '1.2',
  '1.2.3',
  'v1.22.0-0',
  '1.x',
  '*',
  'X.1',
  '1.2.3-rc.1+b.5',
  '1.2-01',
  '99999999999999999999',
];
const comparisons = fc
  .tuple(
    fc.constantFrom('', ' '),
    fc.constantFrom(...OPERATORS),
    fc.constantFrom('', ' '),
    fc.constantFrom(...VERSIONS),
  )
  .map((parts) => parts.join(''));
const separators = fc.constantFrom(',', '||', ' ', ' - ', ' || ', ', ', '|', '-', '');
const texts = fc
  .array(fc.tuple(comparisons, separators), { minLength: 1, maxLength: 4 })
  .map((pairs) => pairs.flat().slice(0, -1).join(''));

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof FunctionError) return error.message;
    throw error;
  }
}

describe('readConstraint', () => {
  test('reads common constraints like the regular expressions of the Go library', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(() => readConstraint(text, UNLIMITED))).toEqual(
          outcome(() => readAnyConstraint(text, UNLIMITED)),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
