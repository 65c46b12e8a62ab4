import { replaceSecrets, secretSpans } from '../secrets/secret-spans';

/**
 * Replaces each secret in a string by its kind: `<private key>`, `<credentials>`, or `<hidden>` for values named as
 * passwords or tokens. Every text that a user reads is redacted here (problems, warnings, exceptions, output of
 * commands), because CI writes it to logs.
 */
export function redact(text: string): string {
  return replaceSecrets(text, secretSpans(text, 'all'), (is) => `<${is}>`);
}

type Told = readonly [what: string, why: string, fix: string];

const PROPOSAL = /"[^"]*"/g;

/**
 * Redacts the parts of a problem one by one, because the end of a truncated key is unknown. If a part contains a
 * secret, the fix quotes nothing that may be derived from it, such as a different case.
 */
export function redactTold([what, why, fix]: Told): Told {
  const clean = redact(what);
  const remedy = redact(fix);
  return [clean, redact(why), clean === what ? remedy : remedy.replace(PROPOSAL, '"…"')];
}
