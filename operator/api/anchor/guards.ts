/**
 * The conditions without which a rotation would break a mesh. The checker takes away one after the other, and finds for
 * each the mesh that breaks.
 *
 * - `announced`: what new pods are given counts only when it has reached whoever gives it to them.
 * - `bridged`: the new anchor signs only when the old one has certified it.
 * - `adopted-first`: where it cannot be certified, it signs only when all pods know it; until then nobody signs.
 * - `taken-up`: identity is known to work with the new issuer, whatever its Secret holds.
 * - `leaves-turned`: no leaf of the old anchor lives any more.
 * - `adopted`: no pod knows only the old anchor.
 * - `settled`: what was seen was seen for as long as a cache may be late.
 * - `signer-moved`: nobody can sign with the old anchor any more, neither who was told to nor who is about to.
 * - `members-adopted`: all that holds for this cluster holds for those that share the anchor.
 * - `committed`: what other clusters go by is not taken back.
 * - `returned`: a rotation that is taken back leaves the new anchor in the bundle until no leaf of it lives.
 */
export const GUARDS = [
  'announced',
  'bridged',
  'adopted-first',
  'taken-up',
  'leaves-turned',
  'adopted',
  'settled',
  'signer-moved',
  'members-adopted',
  'committed',
  'returned',
] as const;

/** One of the conditions. */
export type Guard = (typeof GUARDS)[number];

/** All of them, which is what the operator goes by. */
export const ALL_GUARDS: ReadonlySet<Guard> = new Set(GUARDS);
