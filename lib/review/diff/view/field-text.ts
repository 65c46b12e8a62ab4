import { isSameValue, orderedText } from '../../../gitops/changes/same-value';
import type { Value } from '../../../kubernetes/values';
import { pathText } from '../../compare/value-changes';
import type { FieldDifference, GroupField } from '../model';
import type { Detail } from './detail';
import { lineDiff } from './line-diff';
import { code, type DiffLine, type Inline, type Item } from './page';

/** A field that differs, in a line; lines of a text below. */
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

/** The most values of one field that are told apart; of more, one is an example. */
const MOST_VALUES = 3;

/**
 * Fields in lines: of those that every release changes only their number.
 *
 * @param part says which clusters have a field, where they are not all
 */
export function fieldItems(
  fields: readonly GroupField[],
  detail: Detail,
  part: (clusters: readonly string[] | undefined) => readonly Inline[],
): readonly Item[] {
  const told = byPlace(fields.filter((field) => !field.routine && !isMoveOnly(field)));
  const routine = fields.filter((field) => field.routine);
  const shownFields = told.slice(0, detail.fields).flatMap((values) => valueItems(values, detail, part));
  const more = told.length - detail.fields;
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

/** The fields by their place: clusters may have values of their own there. */
function byPlace(fields: readonly GroupField[]): readonly (readonly GroupField[])[] {
  const places = new Map<string, GroupField[]>();
  for (const field of fields) {
    const key = JSON.stringify([field.path, field.within]);
    const known = places.get(key) ?? [];
    known.push(field);
    places.set(key, known);
  }
  return [...places.values()];
}

function valueItems(
  values: readonly GroupField[],
  detail: Detail,
  part: (clusters: readonly string[] | undefined) => readonly Inline[],
): readonly Item[] {
  const shownValues = values.length > MOST_VALUES ? values.slice(0, 1) : values;
  const left = values.length - shownValues.length;
  return shownValues.map((field) => {
    const { text, ...item } = fieldItem(field, detail);
    const others = left === 0 ? [] : [`, and ${left} other values in other clusters`];
    return { ...item, text: [...text, ...part(field.clusters), ...others] };
  });
}

/** Tells a new order that follows from items which come in between others. */
function isMoveOnly(field: FieldDifference): boolean {
  if (field.op !== 'reordered') return false;
  const [old, next] = [field.before, field.after].map((keys) => keys.map((key) => orderedText(key)));
  const kept = (old ?? []).filter((key) => next?.includes(key));
  return orderedText(kept) === orderedText((next ?? []).filter((key) => old?.includes(key)));
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
  return ['reordered: ', code(cut(names.join(', '), detail.characters))];
}

function ofLists(before: readonly Value[], after: readonly Value[], detail: Detail): readonly Inline[] {
  const [old, next] = [before.map((item) => orderedText(item)), after.map((item) => orderedText(item))];
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
    .flatMap((item, index): readonly Inline[] => [...(index === 0 ? [] : [', ']), code(cut(item, characters))]);
  return items.length > most ? [...shownItems, ` and ${items.length - most} more`] : shownItems;
}

function isLines(value: Value): value is string {
  return typeof value === 'string' && value.trim().includes('\n');
}

function lineItems(lines: readonly DiffLine[], { items, characters }: Detail): readonly Item[] {
  const most = items * 3;
  const told = lines.slice(0, most).map(({ sign, text }) => ({ text: [code(`${sign} ${cut(text, characters)}`)] }));
  return lines.length > most ? [...told, { text: [`${lines.length - most} more lines`] }] : told;
}

function shown(value: Value, { characters }: Detail): Inline {
  return code(cut(orderedText(value), characters));
}

/** Cuts by characters, so that none is halved. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text.slice(0, 2 * most)];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}… (${text.length} characters)`;
}
