/** Formats an error on one line: with its causes, and with the stack for a programming error. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isMistake = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isMistake && error.stack !== undefined) return error.stack;
  const text = ownText(error);
  return error.cause === undefined ? text : `${text}: ${errorText(error.cause)}`;
}

function ownText(error: Error): string {
  if (error.message !== '') return error.message;
  // Node sets no message if every address of a host refused the connection.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(errorText).join(', ');
  return error.name;
}
