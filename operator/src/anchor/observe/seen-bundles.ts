import type { AnchorMemory, RememberedBundle } from '../../../api/anchor/memory';
import { rememberedBundle } from '../../../api/anchor/remember';
import type { ConfigMap } from '../objects/trust-anchor';
import { observeBundle } from './observe-bundle';

/** The bundles that a watch has told of, also those that were there for a moment between two looks. */
export interface SeenBundles {
  add(configMap: ConfigMap, now: number): void;
  /** A memory with those that it lacks: pods were injected with them. */
  addedTo(memory: AnchorMemory): AnchorMemory;
}

/** Bundles that are kept: more than change in the time between two looks. */
const MOST_SEEN = 16;

/** Creates a list without bundles. */
export function seenBundles(): SeenBundles {
  let seen: readonly RememberedBundle[] = [];
  return {
    add: (configMap, now) => {
      const bundle = observeBundle(configMap, []);
      if (bundle === undefined || bundle.hash === seen.at(-1)?.hash) return;
      seen = [...seen, rememberedBundle(bundle, now)].slice(-MOST_SEEN);
    },
    addedTo: (memory) => {
      const last = memory.bundles.at(-1);
      // Who remembers nothing begins with what there is: nobody knows what was there before.
      if (last === undefined) return memory;
      const known = new Set(memory.bundles.map(({ hash }) => hash));
      const missed = seen.filter(({ hash, since }) => since > last.since && !known.has(hash));
      return missed.length === 0 ? memory : { ...memory, bundles: [...memory.bundles, ...missed] };
    },
  };
}
