import { describeException } from '#base/findings/exception';
import type { Problem } from '#base/findings/problem';
import { TREE_FINDINGS } from './findings';

/** Returns the problem of a construct whose objects, or whose rule of another author, throws. */
export function unread(error: unknown): Problem {
  return TREE_FINDINGS.buildFailedConstruct({ error: describeException(error) });
}
