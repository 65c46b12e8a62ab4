import type { AnchorMemory, RememberedBundle } from '#anchor/memory';
import { rememberedBundle, withMissed } from '#anchor/remember';
import type { ConfigMap } from '../objects/trust-anchor';
import { observeBundle } from './observe-bundle';

/** The bundles that a watch has reported, including short-lived ones between two observations. */
export interface SeenBundles {
  add(configMap: ConfigMap, now: number): void;
  /** Returns a memory with the missing bundles added, because pods may have been injected with them. */
  addedTo(memory: AnchorMemory): AnchorMemory;
}

/** Maximum number of bundles to keep: more than the changes between two observations. */
const MAX_SEEN = 16;

/** Creates a list without bundles. */
export function seenBundles(): SeenBundles {
  let seen: readonly RememberedBundle[] = [];
  return {
    add: (configMap, now) => {
      const bundle = observeBundle(configMap, []);
      if (bundle === undefined || bundle.hash === seen.at(-1)?.hash) return;
      seen = [...seen, rememberedBundle(bundle, now)].slice(-MAX_SEEN);
    },
    addedTo: (memory) => withMissed(memory, seen),
  };
}
