import type { Value } from '../../kubernetes/values';

const MOST_SHOWN = 8;

/** A value of a flag as it stands in a message: its kind where it is long, since it may be one to keep to oneself. */
export function showPart(value: Value): string {
  const text = JSON.stringify(value);
  if (text.length <= MOST_SHOWN + 2) return text;
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  return Array.isArray(value) ? `a list of ${value.length}` : `a map of ${Object.keys(value).length}`;
}

/** The beginning of a flag's text as it stands in a message. */
export function showStart(text: string): string {
  return text.length <= MOST_SHOWN ? `"${text}"` : `a text of ${text.length} characters`;
}
