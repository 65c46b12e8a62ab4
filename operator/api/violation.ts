import type { Violation } from './problem';

/**
 * The violation of a rule by a value, whatever it is.
 *
 * - `form`: a text, number or map is not of the form that its readers demand, or cannot be written at all
 * - `key`: a key is not known, or missing
 * - `secret`: a secret would be written; its value is the kind of secret, never the secret
 * - `value`: a value of a chart, by its path, does not go together with others
 * - `window`: duration and renewal of a certificate do not go together
 */
export function violationOf(rule: 'form' | 'key' | 'secret' | 'value' | 'window', value: unknown): Violation {
  return { rule, value: typeof value === 'string' ? value : textOf(value) };
}

/** The length of a text that is enough to tell one value from another. */
const MOST_CHARACTERS = 1000;

/** Writes any value as text: not all that is given where plain data should be has a form in JSON. */
function textOf(value: unknown): string {
  try {
    return (typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value))).slice(
      0,
      MOST_CHARACTERS,
    );
  } catch {
    return typeof value;
  }
}
