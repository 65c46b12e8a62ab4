import type { Value } from '../releases/values';
import type { FieldChange } from './field-changes';

/** The longest text of a value that is shown. */
const MOST_CHARACTERS = 100;

/** A change of a field in a line: what comes and what goes, and of lists their items. */
export function fieldText({ path, before, after }: FieldChange): string {
  if (before === undefined) return `\`${path}\`: new, ${shown(after)}`;
  if (after === undefined) return `\`${path}\`: gone, was ${shown(before)}`;
  if (Array.isArray(before) && Array.isArray(after)) return `\`${path}\`: ${itemsText(before, after)}`;
  return `\`${path}\`: ${shown(before)} -> ${shown(after)}`;
}

function itemsText(before: readonly Value[], after: readonly Value[]): string {
  const [old, next] = [before.map(textOf), after.map(textOf)];
  const gone = old.filter((item) => !next.includes(item));
  const added = next.filter((item) => !old.includes(item));
  if (gone.length + added.length === 0) return 'in another order';
  return [
    ...(gone.length === 0 ? [] : [`gone ${gone.map(cut).join(', ')}`]),
    ...(added.length === 0 ? [] : [`new ${added.map(cut).join(', ')}`]),
  ].join('; ');
}

function shown(value: Value | undefined): string {
  return cut(textOf(value ?? null));
}

function textOf(value: Value): string {
  return JSON.stringify(value);
}

/** Cuts by characters, so that none is halved. */
function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= MOST_CHARACTERS) return text;
  return `${characters.slice(0, MOST_CHARACTERS).join('')}… (${characters.length} characters)`;
}
