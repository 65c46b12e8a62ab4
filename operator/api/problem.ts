/** One thing that is wrong with what a user asked for, in the three parts that a reader needs to act on it. */
export interface Problem {
  /** What is wrong, with the offending value. */
  readonly what: string;
  /** What would break at run time if it were let through. */
  readonly why: string;
  /** What to write instead. */
  readonly fix: string;
}
