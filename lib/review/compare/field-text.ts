import { listed } from '../../../operator/api/kubernetes/listed';
import { orderedText } from '../../gitops/changes/same-value';
import { codeSpan, plainName } from '../../kubernetes/findings/printable-text';
import type { Value } from '../../kubernetes/values';
import type { FieldChange } from './field-changes';

/** The longest text of a value that is shown. */
const MOST_CHARACTERS = 100;

/** The most items of a list, and lines of a text, that are shown. */
const MOST_ITEMS = 8;

/** A change of a field in a line of Markdown: what comes and what goes, and of lists their items. */
export function fieldText({ path, before, after, movedFrom }: FieldChange): string {
  const field = codeSpan(path);
  if (movedFrom !== undefined) return `${field}: moved, was ${codeSpan(movedFrom)}`;
  if (before === undefined) return `${field}: new, ${shown(after)}`;
  if (after === undefined) return `${field}: gone, was ${shown(before)}`;
  if (Array.isArray(before) && Array.isArray(after)) return `${field}: ${itemsText(before, after)}`;
  if (isLines(before) && isLines(after)) return `${field}: ${itemsText(linesOf(before), linesOf(after))}`;
  return `${field}: ${shown(before)} -> ${shown(after)}`;
}

function itemsText(before: readonly Value[], after: readonly Value[]): string {
  const [old, next] = [before.map(textOf), after.map(textOf)];
  const gone = old.filter((item) => !next.includes(item));
  const added = next.filter((item) => !old.includes(item));
  if (gone.length + added.length === 0) return 'in another order';
  return [
    ...(gone.length === 0 ? [] : [`gone ${some(gone)}`]),
    ...(added.length === 0 ? [] : [`new ${some(added)}`]),
  ].join('; ');
}

/** Tells texts of several lines, of which only those that differ are worth showing. */
function isLines(value: Value): value is string {
  return typeof value === 'string' && value.trim().includes('\n');
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim());
}

function shown(value: Value | undefined): string {
  return plainName(cut(textOf(value ?? null)));
}

function textOf(value: Value): string {
  return orderedText(value);
}

function some(items: readonly string[]): string {
  const shownItems = items.map((item) => plainName(cut(item)));
  return listed(shownItems, MOST_ITEMS);
}

/** Cuts by characters, so that none is halved. */
function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= MOST_CHARACTERS) return text;
  return `${characters.slice(0, MOST_CHARACTERS).join('')}… (${characters.length} characters)`;
}
