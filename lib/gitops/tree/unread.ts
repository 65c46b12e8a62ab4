import { describeException } from '#base/findings/exception';
import type { Problem } from '#base/findings/problem';
import { TREE_FINDINGS } from './findings';

/** Returns the problem of a construct whose objects cannot be read, or whose rule throws. */
export function unread(error: unknown): Problem {
  return TREE_FINDINGS.buildFailedConstruct({ error: describeException(error) });
}
