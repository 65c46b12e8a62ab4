/** Returns the last element of a path, as `path.Base` does. */
export function basePath(path: string): string {
  if (path === '') return '.';
  // A regular expression would take quadratic time for many slashes in the middle.
  let end = path.length;
  while (path.charAt(end - 1) === '/') end -= 1;
  const trimmed = path.slice(0, end);
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}
