/**
 * The conditions that keep a rotation from breaking a mesh. The model checker (tools/anchor-check) removes one at a
 * time, and for each finds a mesh that breaks without it. Each is asked for in the step of the rotation that it guards.
 *
 * - `announced`: the bundle for new pods counts only when it has reached the injector.
 * - `bridged`: the new anchor signs only when the old one has signed it.
 * - `adopted-first`: without a bridge, it signs only when all pods know it; until then nothing signs.
 * - `taken-up`: identity is known to use the new issuer, whatever its Secret contains.
 * - `leaves-turned`: no leaf of the old anchor is valid any more.
 * - `probed`: no proxy that is asked presents one, however long leaves live.
 * - `adopted`: no pod knows only the old anchor.
 * - `settled`: an observation has held for as long as a cache may be late.
 * - `signer-moved`: nothing can sign with the old anchor any more, including requests in flight.
 * - `members-adopted`: all of this also holds for the clusters that share the anchor.
 * - `members-certified`: those whose anchors the old one certified are certified by the new one, and by nothing else.
 * - `committed`: what other clusters rely on is not revoked.
 * - `returned`: a rotation that is rolled back keeps the new anchor in the bundle until none of its leaves is valid.
 */
export const GUARDS = [
  'announced',
  'bridged',
  'adopted-first',
  'taken-up',
  'leaves-turned',
  'probed',
  'adopted',
  'settled',
  'signer-moved',
  'members-adopted',
  'members-certified',
  'committed',
  'returned',
] as const;

/** A condition that keeps a rotation from breaking a mesh. */
export type Guard = (typeof GUARDS)[number];

/** All conditions; the operator requires all of them. */
export const ALL_GUARDS: ReadonlySet<Guard> = new Set(GUARDS);
