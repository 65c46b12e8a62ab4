import { isMap, type Value, type Values } from '#base/values';
import type { PathStep } from '#lib/review/compare/value-changes';
import { embeddedMap } from '#lib/review/diff/fields';
import type { FieldDifference } from '#lib/review/diff/model';

/**
 * Applies the fields of a change as docs/diff.md describes it for programs that read the JSON. A text with differences
 * inside becomes its parsed content.
 */
export function apply(before: Value | undefined, fields: readonly FieldDifference[]): Value | undefined {
  return fields.reduce((value, field) => {
    if (field.op === 'reworded') return value;
    if (field.within === undefined) return changed(value, field.path, { to: (old) => whole(old, field) });
    const { within } = field;
    return changed(value, field.path, {
      to: (text) => changed(contentOf(text), within, { to: (old) => whole(old, field) }),
    });
  }, before);
}

/** The same value, with the parsed content of texts with differences inside or in their wording alone. */
export function withContents(value: Value | undefined, fields: readonly FieldDifference[]): Value | undefined {
  const texts = new Map(
    fields.filter(({ op, within }) => op === 'reworded' || within).map(({ path }) => [JSON.stringify(path), path]),
  );
  return [...texts.values()].reduce((of, path) => changed(of, path, { to: contentOf }), value);
}

function contentOf(text: Value | undefined): Value | undefined {
  return typeof text === 'string' ? embeddedMap(text) : text;
}

interface Edit {
  readonly to: (old: Value | undefined) => Value | undefined;
}

function changed(value: Value | undefined, path: readonly PathStep[], field: Edit): Value | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return field.to(value);
  if (Array.isArray(value)) return inList(value, step, (item) => changed(item, rest, field));
  if (!isMap(value) || typeof step !== 'string') throw new Error(`nothing is at ${JSON.stringify(path)}`);
  const { [step]: old, ...others } = value as Record<string, Value>;
  const next = changed(Object.hasOwn(value, step) ? old : undefined, rest, field);
  return next === undefined ? others : { ...value, [step]: next };
}

function whole(
  value: Value | undefined,
  field: Exclude<FieldDifference, { readonly op: 'reworded' }>,
): Value | undefined {
  if (field.op === 'removed') return undefined;
  if (field.op !== 'reordered') return field.after;
  const list = value as readonly Value[];
  return field.after.map((key) => list.find((item) => has(item, key)) ?? null);
}

function inList(list: readonly Value[], step: PathStep, map: (item: Value | undefined) => Value | undefined): Value {
  const index = typeof step === 'object' ? list.findIndex((item) => has(item, step)) : Number(step);
  const next = map(index === -1 ? undefined : list[index]);
  if (index === -1) return next === undefined ? [...list] : [...list, next];
  return next === undefined ? list.toSpliced(index, 1) : list.with(index, next);
}

function has(item: Value, key: Readonly<Record<string, unknown>>): boolean {
  const of: Values = isMap(item) ? item : {};
  return Object.entries(key).every(
    ([name, value]) => (of[name] ?? (name === 'protocol' ? 'TCP' : undefined)) === value,
  );
}
