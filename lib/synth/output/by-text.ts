/** The number of characters that the known texts may have together before all are forgotten: some dozens of MB. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * A function of a text, called once for each: clusters have most of their texts in common. What is known is forgotten
 * when it becomes too much, so that memory does not grow with the number of clusters.
 */
export function byText<Result>(
  of: (text: string) => Result,
  mostCharacters = MOST_CHARACTERS,
): (text: string) => Result {
  const known = new Map<string, Result>();
  let characters = 0;
  return (text) => {
    const result = known.get(text);
    if (result !== undefined || known.has(text)) return result as Result;
    characters += text.length;
    if (characters > mostCharacters) {
      known.clear();
      characters = text.length;
    }
    const made = of(text);
    known.set(text, made);
    return made;
  };
}
