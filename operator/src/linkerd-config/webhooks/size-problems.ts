import type { Problem } from '../../../api/problem';
import { isMap, type Value } from '../../../api/values-merge';

/** The chart has some 500 values; the rest is room for long lists. */
const MOST_VALUES = 5_000;

/** Checks that values are not more than it makes sense to compare, which takes far longer than to count them. */
export function sizeProblems(values: Value | undefined): readonly Problem[] {
  if (countUpTo(MOST_VALUES, values) <= MOST_VALUES) return [];
  return [
    {
      what: `spec.values holds more than ${MOST_VALUES} values`,
      why: 'the chart has a tenth of that, and whoever reads them would be busy for long',
      fix: 'give only the values that differ from those of the installation',
    },
  ];
}

/** How many values there are, of lists and maps those in them; a little more than `most` where there are more. */
function countUpTo(most: number, value: Value | undefined): number {
  let count = 0;
  const rest: (Value | undefined)[] = [value];
  while (rest.length > 0 && count <= most) {
    const next = rest.pop();
    count += 1;
    if (Array.isArray(next)) for (const item of next) rest.push(item);
    else if (isMap(next)) for (const item of Object.values(next)) rest.push(item);
  }
  return count;
}
