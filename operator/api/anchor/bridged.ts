import type { BridgeSigner } from '../trust-anchor';
import type { Announced } from './announced';
import { leastEnd } from './answers';
import { givesUpBridge } from './bridge-deadline';
import { bridgeEnd, bridgeSigner, isBridged } from './way';

/** Step 3: the old anchor has certified the next one, or never will. */
export interface Bridged extends Announced {
  readonly way: 'bridge' | 'restarts';
  /** Who signs the bridge that there is not yet; undefined if nobody does. */
  readonly bridgeBy: BridgeSigner | undefined;
  /** The old anchor has signed the new one. */
  readonly bridged: boolean;
}

export function bridgedFacts(before: Announced): Bridged {
  const { observed, rotation, to, from, now } = before;
  const bridged = to !== undefined && isBridged(to, rotation.from, observed, now) && !isTooShort(before);
  const isAwaited = !bridged && from === undefined && bridgeSigner(observed, rotation.from, rotation) !== undefined;
  const unbridged = rotation.unbridged === true || (isAwaited && givesUpBridge(observed, rotation, now));
  const bridgeBy = bridgeSigner(observed, rotation.from, { unbridged });
  return {
    ...before,
    record: { ...before.record, ...(unbridged && { unbridged }) },
    way: bridged || bridgeBy !== undefined ? 'bridge' : 'restarts',
    bridgeBy,
    bridged,
  };
}

/** Of what an issuer signs, nothing is checked before. Once the next anchor signs, it is used as it is. */
function isTooShort({ observed, rotation, to, key, now }: Announced): boolean {
  const isNew = to?.askedSigner === 'issuer' && observed.issuer.chain?.signer !== key;
  return isNew && (bridgeEnd(to, rotation.from) ?? 0) < leastEnd({ observed, rotation, now });
}
