/** An exception as a message: its kind, what it says, and the first place outside of dependencies where it passed. */
export function describeException(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = error.stack?.split('\n').find((line) => /^\s+at /.test(line) && !/node_modules|\(?node:/.test(line));
  return `${error.name}: ${error.message}${place === undefined ? '' : ` (${place.trim()})`}`;
}
