import type { Problem } from '../../../api/problem';
import { isMap, type Value } from '../../../api/values-merge';

/** The chart has some 500 values; the rest is room for long lists. */
const MOST_VALUES = 5_000;

/** The chart's deepest values are at a tenth of that, and each level is one of a stack that ends. */
const MOST_LEVELS = 200;

/** Checks that values are not more than it makes sense to compare, which takes far longer than to count them. */
export function sizeProblems(values: Value | undefined): readonly Problem[] {
  const { count, levels } = sizeUpTo(MOST_VALUES, values);
  if (levels > MOST_LEVELS) {
    return [
      {
        what: `spec.values has more than ${MOST_LEVELS} levels`,
        why: 'the chart has a tenth of that, and whoever reads them would fail',
        fix: 'give only the values that differ from those of the installation',
      },
    ];
  }
  if (count <= MOST_VALUES) return [];
  return [
    {
      what: `spec.values holds more than ${MOST_VALUES} values`,
      why: 'the chart has a tenth of that, and whoever reads them would be busy for long',
      fix: 'give only the values that differ from those of the installation',
    },
  ];
}

/** How many values there are, of lists and maps those in them, and how deep; a little more than `most`, and no further. */
function sizeUpTo(most: number, value: Value | undefined): { readonly count: number; readonly levels: number } {
  let count = 0;
  let levels = 0;
  const rest: (readonly [value: Value | undefined, level: number])[] = [[value, 0]];
  for (let next = rest.pop(); next !== undefined && count <= most; next = rest.pop()) {
    const [item, level] = next;
    count += 1;
    levels = Math.max(levels, level);
    if (Array.isArray(item)) for (const inner of item) rest.push([inner, level + 1]);
    else if (isMap(item)) for (const inner of Object.values(item)) rest.push([inner, level + 1]);
  }
  return { count, levels };
}
