import { checkDepth, STEPS_PER_ENTRY } from '../go/budget';
import { entriesOf } from '../go/reflect';
import type { Budget, GoValue } from '../go/values';
import { isEmpty } from './kinds';

interface Merging {
  readonly isOverwriting: boolean;
  readonly budget: Budget;
}

/**
 * Merges a dictionary into another as mergo does: a key that the target lacks, or whose value there is empty, gets the
 * value of the source. When overwriting, so does every other key, and a nil of the source counts too.
 */
export function merge(target: Map<string, GoValue>, source: Map<string, GoValue>, merging: Merging, depth = 0): void {
  checkDepth(depth);
  merging.budget.spend(1 + STEPS_PER_ENTRY * source.size);
  for (const [key, value] of [...source]) {
    if (value === null || value === undefined) {
      if (merging.isOverwriting) target.set(key, null);
      continue;
    }
    if (!mergeNested(target.get(key), value, merging, depth) && (merging.isOverwriting || isEmpty(target.get(key)))) {
      target.set(key, value);
    }
  }
}

/** Returns whether the target keeps its own. */
function mergeNested(existing: GoValue, value: GoValue, merging: Merging, depth: number): boolean {
  const source = entriesOf(value) as Map<string, GoValue> | undefined;
  const target = entriesOf(existing) as Map<string, GoValue> | undefined;
  if (source === undefined || target === undefined) return false;
  merge(target, source, merging, depth + 1);
  return target.size > 0;
}
