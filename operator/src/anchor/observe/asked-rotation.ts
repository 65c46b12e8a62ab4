/** Number of significant characters of a request for a rotation. */
const MAX_LENGTH = 253;

/**
 * Returns one string for all requests for a rotation, in the spec and in an annotation. If none of them is new, it is
 * the one handled last: removing one requests nothing.
 */
export function askedRotation(texts: readonly (string | undefined)[], served: string | undefined): string | undefined {
  const asked = texts.flatMap((text) => (text === undefined || text === '' ? [] : [wordOf(text)]));
  if (asked.length === 0) return served;
  const known = served?.split(SEPARATOR) ?? [];
  return asked.every((word) => known.includes(word)) ? served : [...new Set(asked)].join(SEPARATOR);
}

const SEPARATOR = ' and ';

/** Encodes a string as one word, so that different ones stay different. */
function wordOf(text: string): string {
  return encodeURIComponent(text.slice(0, MAX_LENGTH).toWellFormed());
}
