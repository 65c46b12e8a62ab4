/** A mistake in what a user asked for, in the three parts that a reader needs to act on it. */
export interface Problem {
  /** The mistake, with the offending value. */
  readonly what: string;
  /** The reason: what would break at run time if it were let through. */
  readonly why: string;
  /** The remedy: what to write instead. */
  readonly fix: string;
}
