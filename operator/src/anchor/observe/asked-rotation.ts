/** Characters of a text by which a rotation is asked for that count. */
const LONGEST = 253;

/**
 * One text for all by which a rotation is asked for, as in the spec and by an annotation. As long as none of them is new,
 * it is that which was served last: who takes one away asks for nothing.
 */
export function askedRotation(texts: readonly (string | undefined)[], served: string | undefined): string | undefined {
  const asked = texts.flatMap((text) => (text === undefined || text === '' ? [] : [wordOf(text)]));
  if (asked.length === 0) return served;
  const known = served?.split(SEPARATOR) ?? [];
  return asked.every((word) => known.includes(word)) ? served : [...new Set(asked)].join(SEPARATOR);
}

const SEPARATOR = ' and ';

/** A text as one word, so that no two of them can be taken for another. */
function wordOf(text: string): string {
  return encodeURIComponent(text.slice(0, LONGEST).toWellFormed());
}
