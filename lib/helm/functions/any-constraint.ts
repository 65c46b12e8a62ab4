import { RE2JS } from 're2js';
import { FunctionError } from '../template/values';
import { type Comparison, type Constraint, readComparison } from './comparison';

const IDENTIFIERS = '[0-9A-Za-z\\-]+(?:\\.[0-9A-Za-z\\-]+)*';
const PART = '[0-9|x|X|\\*]+';
const CORE = `v?(?:${PART})(?:\\.${PART})?(?:\\.${PART})?(?:-${IDENTIFIERS})?(?:\\+${IDENTIFIERS})?`;
const SPACE = '[\\t\\n\\f\\r ]';
/** In this order: an alternative that comes first wins, as in the expression of the Go library. */
const OPERATORS = '=|!=|>|<|>=|=>|<=|=<|~|~>|\\^';
const ONE = `(?:|${OPERATORS})${SPACE}*(?:${CORE})`;

// Go's own kind of expressions: with those of JavaScript a long text could take exponential time.
const SEGMENT = RE2JS.compile(`^(?:${SPACE}*${ONE}${SPACE}*)(?:(?:${SPACE}+|,${SPACE}*)${ONE}${SPACE}*)*$`);
const EACH = RE2JS.compile(ONE);
const RANGE = RE2JS.compile(`${SPACE}*(${CORE})${SPACE}+-${SPACE}+(${CORE})${SPACE}*`);
const COMPARISON = RE2JS.compile(
  `^${SPACE}*(|${OPERATORS})${SPACE}*v?(${PART})(\\.${PART})?(\\.${PART})?(-${IDENTIFIERS})?(?:\\+${IDENTIFIERS})?${SPACE}*$`,
);

/** Reads a constraint in whatever form it is. Errors: it is none. */
export function readAnyConstraint(text: string): Constraint {
  const rewritten = RANGE.matcher(text).replaceAll('>= $1, <= $2 ');
  return rewritten.split('||').map((segment) => {
    if (!SEGMENT.matcher(segment).find()) throw new FunctionError(`improper constraint: ${segment}`);
    return comparisonsOf(segment).map(comparisonOf);
  });
}

function comparisonsOf(segment: string): string[] {
  const matcher = EACH.matcher(segment);
  const comparisons: string[] = [];
  while (matcher.find()) comparisons.push(matcher.group() ?? '');
  return comparisons;
}

function comparisonOf(text: string): Comparison {
  const match = COMPARISON.matcher(text);
  if (!match.find()) throw new FunctionError(`improper constraint: ${text}`);
  return readComparison([1, 2, 3, 4, 5].map((group) => match.group(group) ?? undefined));
}
