import { canonicalJson } from '#base/canonical-json';
import { grouped } from '#base/grouped';
import { isSameValue } from '#base/same-value';
import { shortenedWithLength } from '#base/shortened';
import type { Value } from '#base/values';
import { isLines, pathText } from '../../compare/value-changes';
import type { FieldDifference, GroupField } from '../model';
import type { Detail } from './detail';
import { code, type DiffLine, type Inline, type Item } from './page';

function fieldItem(field: FieldDifference, detail: Detail): Item {
  const name = nameOf(field);
  if (field.op === 'reworded') return { text: [...name, 'same content, other formatting'] };
  if (field.op !== 'changed') return { text: [...name, ...oneSided(field, detail)] };
  const { before, after } = field;
  if (field.hidden && isSameValue(before, after)) return { text: [...name, 'changed, value hidden'] };
  if (isLines(before) && isLines(after)) {
    return { text: [...name, 'lines differ:'], items: lineItems(lineDiff(before, after), detail) };
  }
  if (Array.isArray(before) && Array.isArray(after)) return { text: [...name, ...ofLists(before, after, detail)] };
  return { text: [...name, shown(before, detail), ' → ', shown(after, detail)] };
}

/** Maximum number of shown values of a field. Of more values, one is shown as an example. */
const MAX_VALUES = 3;

/**
 * Returns an item for each field. Routine fields, which change in every release, are only counted.
 *
 * @param part returns the clusters of a field as text; empty if the field changes in all of them
 */
export function fieldItems(
  fields: readonly GroupField[],
  detail: Detail,
  part: (clusters: readonly string[] | undefined) => readonly Inline[],
): readonly Item[] {
  const own = fields.filter((field) => !field.routine && !isMoveOnly(field));
  const places = [...grouped(own.map((field) => [JSON.stringify([field.path, field.within]), field])).values()];
  const routine = fields.filter((field) => field.routine);
  const shownFields = places.slice(0, detail.fields).flatMap((values) => valueItems(values, detail, part));
  const more = places.length - detail.fields;
  return [
    ...shownFields,
    ...(more > 0 ? [{ text: [`${more} more ${more === 1 ? 'field' : 'fields'}`] }] : []),
    ...(routine.length > 0
      ? [
          {
            text: [
              `${routine.length} version ${routine.length === 1 ? 'label, image tag or the like' : 'labels, image tags and the like'}`,
            ],
          },
        ]
      : []),
  ];
}

function valueItems(
  values: readonly GroupField[],
  detail: Detail,
  part: (clusters: readonly string[] | undefined) => readonly Inline[],
): readonly Item[] {
  const shownValues = values.length > MAX_VALUES ? values.slice(0, 1) : values;
  const left = values.length - shownValues.length;
  return shownValues.map((field) => {
    const { text, ...item } = fieldItem(field, detail);
    const others = left === 0 ? [] : [`, and ${left} other values in other clusters`];
    return { ...item, text: [...text, ...part(field.clusters), ...others] };
  });
}

function isMoveOnly(field: FieldDifference): boolean {
  if (field.op !== 'reordered') return false;
  const [old, next] = [field.before, field.after].map((keys) => keys.map((key) => canonicalJson(key)));
  const kept = (old ?? []).filter((key) => next?.includes(key));
  return canonicalJson(kept) === canonicalJson((next ?? []).filter((key) => old?.includes(key)));
}

function nameOf({ path, within = [] }: FieldDifference): readonly Inline[] {
  const text = pathText([...path, ...within]);
  return text === '' ? [] : [code(text), ': '];
}

function oneSided(
  field: Exclude<FieldDifference, { readonly op: 'changed' | 'reworded' }>,
  detail: Detail,
): readonly Inline[] {
  if (field.op === 'added') return ['new, ', shown(field.after, detail)];
  if (field.op === 'removed') return ['removed, was ', shown(field.before, detail)];
  const names = field.after.map((key) => Object.values(key).join('/'));
  return ['reordered: ', code(shortenedWithLength(names.join(', '), detail.characters))];
}

function ofLists(before: readonly Value[], after: readonly Value[], detail: Detail): readonly Inline[] {
  const [old, next] = [before.map((item) => canonicalJson(item)), after.map((item) => canonicalJson(item))];
  const [oldSet, nextSet] = [new Set(old), new Set(next)];
  const gone = old.filter((item) => !nextSet.has(item));
  const added = next.filter((item) => !oldSet.has(item));
  if (gone.length + added.length === 0) return ['other order or other duplicates: ', shown([...after], detail)];
  return [
    ...(gone.length === 0 ? [] : ['removed ', ...some(gone, detail)]),
    ...(gone.length === 0 || added.length === 0 ? [] : ['; ']),
    ...(added.length === 0 ? [] : ['added ', ...some(added, detail)]),
  ];
}

function some(items: readonly string[], { items: most, characters }: Detail): readonly Inline[] {
  const shownItems = items
    .slice(0, most)
    .flatMap((item, index): readonly Inline[] => [
      ...(index === 0 ? [] : [', ']),
      code(shortenedWithLength(item, characters)),
    ]);
  return items.length > most ? [...shownItems, ` and ${items.length - most} more`] : shownItems;
}

function lineItems(lines: readonly DiffLine[], { items, characters }: Detail): readonly Item[] {
  const most = items * 3;
  const shownLines = lines
    .slice(0, most)
    .map(({ sign, text }) => ({ text: [code(`${sign} ${shortenedWithLength(text, characters)}`)] }));
  return lines.length > most ? [...shownLines, { text: [`${lines.length - most} more lines`] }] : shownLines;
}

function shown(value: Value, { characters }: Detail): Inline {
  return code(shortenedWithLength(canonicalJson(value), characters));
}

/** Maximum number of lines to compare; longer texts are shown as removed and added. */
const MAX_COMPARED = 400;

const CONTEXT = 1;

function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }));
  return withContext([
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...same(old.slice(old.length - end)),
  ]);
}

function middle(old: readonly string[], next: readonly string[]): readonly DiffLine[] {
  if (old.length > MAX_COMPARED || next.length > MAX_COMPARED) {
    return [...signed('-', old), ...signed('+', next)];
  }
  const lengths = commonLengths(old, next);
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < next.length) {
    const [gone, come] = [old[row], next[column]];
    if (gone !== undefined && gone === come) {
      lines.push({ sign: ' ', text: gone });
      row++;
      column++;
    } else if (
      come === undefined ||
      (gone !== undefined && at(lengths, row + 1, column) >= at(lengths, row, column + 1))
    ) {
      lines.push({ sign: '-', text: gone ?? '' });
      row++;
    } else {
      lines.push({ sign: '+', text: come });
      column++;
    }
  }
  return lines;
}

/** Returns, by row and column, the length of the longest common subsequence of the lines from there to the end. */
function commonLengths(old: readonly string[], next: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(next.length + 1));
  for (let row = old.length - 1; row >= 0; row--) {
    const [line, below] = [lengths[row], lengths[row + 1]];
    if (line === undefined || below === undefined) continue;
    for (let column = next.length - 1; column >= 0; column--) {
      line[column] =
        old[row] === next[column] ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, line[column + 1] ?? 0);
    }
  }
  return lengths;
}

function at(lengths: readonly Uint16Array[], row: number, column: number): number {
  return lengths[row]?.[column] ?? 0;
}

function signed(sign: DiffLine['sign'], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ sign, text }));
}

function withContext(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isShown = new Set<number>();
  for (const [index, { sign }] of lines.entries()) {
    if (sign !== ' ') for (let near = index - CONTEXT; near <= index + CONTEXT; near++) isShown.add(near);
  }
  return lines.filter((_, index) => isShown.has(index));
}
