/** Returns an error as one line for people: with its causes, and with the stack if it is a mistake of the program. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isMistake = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isMistake && error.stack !== undefined) return error.stack;
  const text = ownText(error);
  return error.cause === undefined ? text : `${text}: ${errorText(error.cause)}`;
}

function ownText(error: Error): string {
  if (error.message !== '') return error.message;
  // Node gives no message when every address of a host refused the connection.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(errorText).join(', ');
  return error.name;
}
