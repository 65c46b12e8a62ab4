import type { Time } from '../chain';
import type { AnchorMemory, Rotation } from '../memory';
import type { ObservedTrust } from '../observed';
import type { Milestone } from '../plan';

/** A rotation in progress, and everything that determines it. */
export interface Rotating {
  readonly observed: ObservedTrust;
  readonly memory: AnchorMemory;
  /** The record of it. */
  readonly rotation: Rotation;
  readonly now: Time;
}

/** Returns since when something has held without interruption. */
export function sinceNow(isSo: boolean, since: Time | undefined, now: Time): Time | undefined {
  return isSo ? (since ?? now) : undefined;
}

/** A milestone that is reached, with its evidence. */
export function passed(type: string, reason: string, message: string): Milestone {
  return { type, status: true, reason, message };
}

/** A milestone that waits for something, until a time if only that is needed. */
export function open(type: string, reason: string, message: string, until?: Time): Milestone {
  return { type, status: false, reason, message, ...(until !== undefined && { until }) };
}
