/** Quotes a word for a shell if it needs quotes: names of others are in commands that people copy. */
export function shellWord(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
