/**
 * Returns the text, or its first characters and an ellipsis. It does not split characters: half of a surrogate pair is
 * not valid in UTF-8.
 *
 * @param most maximum number of characters, without the ellipsis
 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text.slice(0, 2 * most)].slice(0, most).join('');
  return characters.length === text.length ? text : `${characters}…`;
}

/** Returns a shortened text with the number of its characters. */
export function shortenedWithLength(text: string, most: number): string {
  const short = shortened(text, most);
  return short === text ? text : `${short} (${[...text].length} characters)`;
}
