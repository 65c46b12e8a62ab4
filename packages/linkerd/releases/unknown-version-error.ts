import { describeProblem, type Problem } from '#base/findings/problem';

/** A version that the library does not know, so that no construct can be built for it. */
export class UnknownVersionError extends RangeError {
  override readonly name = 'UnknownVersionError';

  constructor(readonly problem: Problem) {
    super(describeProblem(problem));
  }
}
