import { redactTold } from './redaction';

/**
 * An error stops synth, a warning does not. A note is a remark of a command, e.g. that it leaves something out. A note
 * stops nothing and needs no acknowledgement.
 */
export type Severity = 'error' | 'warning' | 'note';

/** A mistake in the user's input, in the three parts that a reader needs to act on it. */
export interface Problem {
  /** The severity of its entry in the catalogue. */
  readonly severity: Severity;
  /** The mistake, with the offending value. */
  readonly what: string;
  /**
   * The place of the mistake within its construct, which messages put before the mistake: an object and its field.
   * Findings that differ only in their places are merged.
   */
  readonly place?: string;
  /** The reason: what would break at run time. */
  readonly why: string;
  /** The fix: what to write instead. */
  readonly fix: string;
  /** The code of this kind of mistake in kebab-case. It never changes its meaning. */
  readonly code: string;
  /** The cause, if its code has several. */
  readonly cause?: string;
  /** The values that the three sentences show, by name. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** Set if it rests on the absence of something: see `Entry`. */
  readonly ofAbsence?: 'object' | 'injection';
  /**
   * The path of the value with the mistake, as a user would write it: `values.proxy.logLevel`. Other problems of the
   * same value, or of a value within it, are often the same mistake.
   */
  readonly about?: string;
}

/** Formats a problem on one line, without keys and credentials. */
export function describeProblem(problem: Problem): string {
  const [whatText, whyText, fixText] = redactTold([headline(problem), problem.why, problem.fix]).map(sentence);
  return `${whatText} ${whyText} Fix: ${fixText}`;
}

/** Returns the mistake, after its place in the construct. */
export function headline({ place, what }: { readonly place?: string | undefined; readonly what: string }): string {
  return place === undefined ? what : `${place}: ${what}`;
}

/** Returns a string with a full stop at its end. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
