/** A mistake in what a user asked for, in the three parts that a reader needs to act on it. */
export interface Problem {
  /** The mistake, with the offending value. */
  readonly what: string;
  /**
   * The place of the mistake within its construct, which comes before the mistake in messages: an object and its field.
   * Findings that differ in their places alone are one, at several places.
   */
  readonly place?: string;
  /** The reason: what would break at run time if it were let through. */
  readonly why: string;
  /** The remedy: what to write instead. */
  readonly fix: string;
  /** The name of this kind of mistake, which never changes its meaning: kebab-case. */
  readonly code: string;
  /** The values that the three sentences show, by name. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /**
   * The path of the value that the mistake is in, as a user would write it: `values.proxy.logLevel`. Another problem of
   * that value, or of one in it, is often the same mistake.
   */
  readonly about?: string;
}
