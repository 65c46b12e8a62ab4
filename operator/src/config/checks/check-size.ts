import type { Problem } from '#base/findings/problem';
import { isMap, type Value, type Values } from '#base/values';
import { WEBHOOK_FINDINGS } from '#operator/api/webhooks/findings';
import { trustAnchorsOf } from '../values/effective-values';
import { checkAnchorSize } from './check-anchors';

interface Size {
  count: number;
  levels: number;
  /** The characters of all strings, including keys of maps. */
  text: number;
}

const MAX: Size = {
  // The chart has some 300; the rest is for long lists.
  count: 5_000,
  // The chart has 6, and each takes space on a limited stack.
  levels: 200,
  // The maximum for trust anchors is a quarter of it.
  text: 262_144,
};

const FINDING = {
  count: WEBHOOK_FINDINGS.valuesTooLargeCount,
  levels: WEBHOOK_FINDINGS.valuesTooLargeLevels,
  text: WEBHOOK_FINDINGS.valuesTooLargeText,
};

/** Checks that the values of a LinkerdConfig, including anchors, are not too large to process. */
export function checkSize(values: Values | undefined): readonly Problem[] {
  return [...checkMeasures(values), ...checkAnchorSize(trustAnchorsOf(values ?? {}) ?? '')];
}

function checkMeasures(values: Values | undefined): readonly Problem[] {
  const size = sizeOf(values);
  return (Object.keys(MAX) as (keyof Size)[])
    .filter((measure) => size[measure] > MAX[measure])
    .map((measure) => FINDING[measure]({ most: MAX[measure] }));
}

/** Measures values, and stops slightly beyond {@link MAX}. */
function sizeOf(value: Value | undefined): Size {
  const size: Size = { count: 0, levels: 0, text: 0 };
  const rest: (readonly [value: Value | undefined, level: number])[] = [[value, 0]];
  for (let next = rest.pop(); next !== undefined && size.count <= MAX.count; next = rest.pop()) {
    const [item, level] = next;
    size.count += 1;
    size.levels = Math.max(size.levels, level);
    if (typeof item === 'string') size.text += item.length;
    else if (Array.isArray(item)) for (const inner of item) rest.push([inner, level + 1]);
    else if (isMap(item)) {
      for (const [key, inner] of Object.entries(item)) {
        size.text += key.length;
        rest.push([inner, level + 1]);
      }
    }
  }
  return size;
}
