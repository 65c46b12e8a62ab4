import { redact } from './redaction';

/** An exception as a message: its kind, what it says, and the first place outside of dependencies where it passed. */
export function describeException(error: unknown): string {
  if (!(error instanceof Error)) return redact(textOf(error));
  const place = error.stack?.split('\n').find((line) => /^\s+at /.test(line) && !/node_modules|\(?node:/.test(line));
  return `${redact(`${error.name}: ${error.message}`)}${place === undefined ? '' : ` (${place.trim()})`}`;
}

/** An exception that says nothing of keys and credentials: whoever does not catch it has Node.js print it. */
export function redactedException(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error;
  const redacted = new Error(redact(error.message));
  redacted.name = error.name;
  redacted.stack = redact(error.stack ?? `${error.name}: ${error.message}`);
  return redacted;
}

/** Returns the text of what was thrown, which can be anything, also something without a text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return `something of type ${typeof thrown}`;
  }
}
