import { RE2JS } from 're2js';
import { meteredRegex } from '../go/regex';
import { type Budget, FunctionError } from '../go/values';
import { type Comparison, type ComparisonParts, type Constraint, readComparison } from './comparison';

const IDENTIFIERS = '[0-9A-Za-z\\-]+(?:\\.[0-9A-Za-z\\-]+)*';
const PART = '[0-9|x|X|\\*]+';
const CORE = `v?(?:${PART})(?:\\.${PART})?(?:\\.${PART})?(?:-${IDENTIFIERS})?(?:\\+${IDENTIFIERS})?`;
const SPACE = '[\\t\\n\\f\\r ]';
/** The order matters: the first alternative wins, as in the expression of the Go library. */
const OPERATORS = '=|!=|>|<|>=|=>|<=|=<|~|~>|\\^';
const ONE = `(?:|${OPERATORS})${SPACE}*(?:${CORE})`;

// Expressions with Go's engine: JavaScript's could take exponential time for a long text.
const SEGMENT = RE2JS.compile(`^(?:${SPACE}*${ONE}${SPACE}*)(?:(?:${SPACE}+|,${SPACE}*)${ONE}${SPACE}*)*$`);
const EACH = RE2JS.compile(ONE);
const RANGE = RE2JS.compile(`${SPACE}*(${CORE})${SPACE}+-${SPACE}+(${CORE})${SPACE}*`);
const COMPARISON = RE2JS.compile(
  `^${SPACE}*(|${OPERATORS})${SPACE}*v?(${PART})(\\.${PART})?(\\.${PART})?(-${IDENTIFIERS})?(?:\\+${IDENTIFIERS})?${SPACE}*$`,
);

/** Reads a constraint in any form. @throws FunctionError if it is not a constraint */
export function readAnyConstraint(text: string, budget: Budget): Constraint {
  return rewritten(text, budget)
    .split('||')
    .map((segment) => {
      if (!meteredRegex(SEGMENT, budget).test(segment)) throw new FunctionError(`improper constraint: ${segment}`);
      return partsOf(EACH, segment, budget).map(([one = '']) => comparisonOf(one, budget));
    });
}

function rewritten(text: string, budget: Budget): string {
  let end = 0;
  let comparisons = '';
  for (const match of meteredRegex(RANGE, budget).matches(text, -1)) {
    const [[from, to] = [0, 0], low = [0, 0], high = [0, 0]] = match;
    comparisons += `${text.slice(end, from)}>= ${text.slice(...low)}, <= ${text.slice(...high)} `;
    end = to;
  }
  return comparisons + text.slice(end);
}

function partsOf(expression: RE2JS, text: string, budget: Budget): ComparisonParts[] {
  return meteredRegex(expression, budget)
    .matches(text, -1)
    .map((match) => match.map(([start, end]) => (start < 0 ? undefined : text.slice(start, end))));
}

function comparisonOf(text: string, budget: Budget): Comparison {
  const [match] = partsOf(COMPARISON, text, budget);
  if (match === undefined) throw new FunctionError(`improper constraint: ${text}`);
  return readComparison(match.slice(1));
}
