/** What Go's `unicode.IsSpace` and `strings.TrimSpace` treat as space, which is not what JavaScript does. */
const SPACE = new Set(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

/** Returns whether a character is a space in Go. */
export function isGoSpace(character: string): boolean {
  return SPACE.has(character);
}

/** Returns a text without the spaces around it, as `strings.TrimSpace` does. */
export function trimGoSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.has(text.charAt(start))) start += 1;
  while (end > start && SPACE.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Returns the last element of a path, as `path.Base` does. */
export function basePath(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  if (trimmed === '') return path === '' ? '.' : '/';
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}
