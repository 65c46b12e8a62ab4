import type { Value } from '../../kubernetes/values';

const WORDS: Readonly<Record<string, Value>> = { true: true, false: false, null: null };

/**
 * Returns what `--set` takes a text for: true, false, null and whole numbers are what they say, everything else is
 * text; so are numbers with a leading zero, and numbers that JSON readers would round.
 */
export function typedText(text: string): Value {
  const word = text.toLowerCase();
  if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? null;
  if (text === '0') return 0;
  if (!/^(?:[1-9]|[-+]\d)\d*$/.test(text)) return text;
  // Plus nothing, so that "-0" is 0.
  const number = Number(text) + 0;
  return Number.isSafeInteger(number) ? number : text;
}
