/** Returns the last element of a path, as `path.Base` does. */
export function basePath(path: string): string {
  if (path === '') return '.';
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}
