import type { Minted } from './minted';
import { bundledKeys } from './remember';
import { sinceNow } from './rotating';
import { spreadBy } from './times';

/** Step 2: every pod that starts now gets the next anchor. */
export interface Announced extends Minted {
  /** The bundle for new pods contains the new anchor. */
  readonly announced: boolean;
}

export function announcedFacts(before: Minted): Announced {
  const { observed, rotation, key, now, guards } = before;
  const since = sinceNow(key !== undefined && bundledKeys(observed).has(key), rotation.announced, now);
  const isSpread = since !== undefined && now >= spreadBy(since, observed.policy);
  return {
    ...before,
    record: { ...before.record, ...(since !== undefined && { announced: since }) },
    announced: guards.has('announced') ? isSpread : since !== undefined,
  };
}
