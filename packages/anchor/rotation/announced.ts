import type { AnchorAction, Milestone } from '../plan';
import { bundledKeys } from '../remember';
import { spreadBy } from '../times';
import { holdAnchor, keepRoots } from './actions';
import type { Minted } from './minted';
import { open, passed, sinceNow } from './rotating';

/** Step 2: every pod that starts now gets the next anchor. */
export interface Announced extends Minted {
  /** The bundle for new pods contains the new anchor. */
  readonly announced: boolean;
}

export function announcedFacts(before: Minted): Announced {
  const { observed, rotation, key, now } = before;
  const since = sinceNow(key !== undefined && bundledKeys(observed).has(key), rotation.announced, now);
  const spread = since === undefined ? undefined : spreadBy(since, observed.policy);
  return {
    ...before,
    record: { ...before.record, ...(since !== undefined && { announced: since }) },
    times: [...before.times, spread],
    announced: spread !== undefined && now >= spread,
  };
}

export function announcedMilestone({ observed, rotation, announced }: Announced): Milestone {
  if (announced) return passed('Announced', 'InBundle', 'every bundle that new pods can get contains the new anchor');
  const { announced: since } = rotation;
  return open(
    'Announced',
    'Spreading',
    'the new anchor must stay in the bundle until every pod can have received it',
    since && spreadBy(since, observed.policy),
  );
}

/** Keeps both anchors in the bundle, and their keys. */
export function announceActions(progress: Announced): readonly AnchorAction[] {
  const both = [progress.from, progress.to].flatMap((anchor) => (anchor === undefined ? [] : holdAnchor(anchor)));
  return [...holdRoots(progress), ...both];
}

/** Keeps the roots of all past and possible signers: certificates of a lost key may still be valid. */
export function holdRoots({ observed, rotation, key }: Announced): readonly AnchorAction[] {
  return keepRoots(observed, [...observed.kept, rotation.from, key, observed.issuer.chain?.signer]);
}
