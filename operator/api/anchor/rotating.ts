import type { Time } from './chain';
import type { Guard } from './guards';
import type { AnchorMemory, Rotation } from './memory';
import type { ObservedTrust } from './observed';

/** A rotation in progress, and everything that determines it. */
export interface Rotating {
  readonly observed: ObservedTrust;
  readonly memory: AnchorMemory;
  /** What is recorded of it. */
  readonly rotation: Rotation;
  readonly now: Time;
  readonly guards: ReadonlySet<Guard>;
}

/** Returns since when something has held without interruption. */
export function sinceNow(isSo: boolean, since: Time | undefined, now: Time): Time | undefined {
  return isSo ? (since ?? now) : undefined;
}
