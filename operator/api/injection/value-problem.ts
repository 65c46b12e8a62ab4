/** What is wrong with values. */
export interface ValueProblem {
  /** What is wrong, with the value. */
  readonly what: string;
  /** What it would lead to. */
  readonly why: string;
  readonly fix: string;
}
