import { isMap, type Value, type Values } from '#base/values';
import type { Variant } from '../conformance/variants';
import { valueChanges } from '../import/value-changes';
import { valueIn } from './value-report';

/**
 * Returns the variants of a chart's values for its next release: the variants of the last release, adapted to changed
 * defaults, and one for each new value. A variant with the name of a value sets only this value, and is removed with
 * the value.
 */
export function nextVariants(variants: readonly Variant[], before: Values, after: Values): readonly Variant[] {
  const changes = valueChanges(before, after);
  const changedTo = new Map(changes.map(({ at, value }) => [at.join('.'), { at, value, old: valueIn(before, at) }]));
  const kept = variants.flatMap((variant): readonly Variant[] => {
    const change = changedTo.get(variant.name);
    if (change === undefined) return [variant];
    if (change.value === undefined) return [];
    const other = otherThan(change.value, { was: valueIn(variant.values, change.at), of: change.old });
    return other === undefined ? [variant] : [{ name: variant.name, values: nested(change.at, other) }];
  });
  const added = changes
    .filter(({ at, value }) => value !== undefined && valueIn(before, at) === undefined)
    .flatMap(({ at, value = null }) => leavesOf(at, value))
    .flatMap(({ at, value }): readonly Variant[] => {
      const other = otherThan(value);
      return other === undefined ? [] : [{ name: at.join('.'), values: nested(at, other) }];
    });
  return [...kept, ...added];
}

const ALTERED = '-altered';

/** A value that differs from a default. A chosen value stays, unless it was derived from the older default. */
function otherThan(
  value: Value,
  chosen?: { readonly was: Value | undefined; readonly of: Value | undefined },
): Value | undefined {
  if (typeof value === 'boolean') return !value;
  if (chosen !== undefined && chosen.was !== value && chosen.was !== `${chosen.of}${ALTERED}`) return chosen.was;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'string' && value !== '' ? `${value}${ALTERED}` : undefined;
}

interface Leaf {
  readonly at: readonly string[];
  readonly value: Value;
}

function leavesOf(at: readonly string[], value: Value): readonly Leaf[] {
  if (!isMap(value)) return [{ at, value }];
  return Object.entries(value).flatMap(([key, inside]) => leavesOf([...at, key], inside ?? null));
}

function nested(path: readonly string[], value: Value): Values {
  const [key = '', ...below] = path;
  return { [key]: below.length === 0 ? value : nested(below, value) };
}
