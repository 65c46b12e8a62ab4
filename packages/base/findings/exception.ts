import { redact } from './redaction';

/** Formats an exception: its kind, its message, and the first place in its stack outside dependencies. */
export function describeException(error: unknown): string {
  if (!(error instanceof Error)) return redact(textOf(error));
  const place = error.stack?.split('\n').find((line) => /^\s+at /.test(line) && !/node_modules|\(?node:/.test(line));
  return `${redact(`${error.name}: ${error.message}`)}${place === undefined ? '' : ` (${place.trim()})`}`;
}

/** Returns an exception without keys and credentials: Node.js prints uncaught exceptions. */
export function redactedException(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error;
  const redacted = new Error(redact(error.message));
  redacted.name = error.name;
  redacted.stack = redact(error.stack ?? `${error.name}: ${error.message}`);
  return redacted;
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return `something of type ${typeof thrown}`;
  }
}
