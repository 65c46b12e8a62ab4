import type { LinkedGuard } from '../guards';
import type { LinkedWorld } from './walk';
import { LINKED } from './worlds';

/** The number of walks in each world of linked clusters. */
export const WALKS = { small: 6, large: 150 } as const;

/** For each guard that concerns several clusters, a world and a walk in which something breaks without it. */
export const LINKED_WITHOUT: Readonly<Record<LinkedGuard, { readonly world: LinkedWorld; readonly seed: number }>> = {
  'certifiers-held': at(0, 0),
  'given-out': at(2, 0),
  'clocks-apart': at(2, 13),
  'last-call': at(4, 1),
  'last-call-for-any': at(4, 77),
  'members-distrust': at(2, 0),
  'certified-in-time': at(5, 10),
  'leaked-certifier': at(2, 3),
  'vouchers-distrusted': at(2, 265),
  'lost-at-the-end': at(2, 1),
};

function at(index: number, seed: number): { readonly world: LinkedWorld; readonly seed: number } {
  const world = LINKED[index];
  if (world === undefined) throw new Error('there is no such world');
  return { world, seed };
}
