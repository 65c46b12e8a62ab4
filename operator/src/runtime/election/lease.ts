import type { KubeObject } from '../objects/kube-object';

/** A Lease of `coordination.k8s.io/v1`, whose holder leads. */
export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

/** The spec of a Lease. */
export interface LeaseSpec {
  /** Empty or absent: nobody. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** RFC 3339 with microseconds. */
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** The number of times that the holder changed. */
  readonly leaseTransitions?: number;
}

/** A lease as this process saw it last, and when it saw it change. */
export interface ObservedLease {
  readonly lease: Lease;
  /** The time at which the spec was first seen as it is, in milliseconds of a clock that never goes back. */
  readonly changedAtMs: number;
}

/**
 * The observation after another look at the lease. The times in a lease are by the clock of its holder: only that
 * they change counts.
 */
export function observe(lease: Lease, before: ObservedLease | undefined, nowMs: number): ObservedLease {
  const unchanged = before !== undefined && JSON.stringify(before.lease.spec) === JSON.stringify(lease.spec);
  return { lease, changedAtMs: unchanged ? before.changedAtMs : nowMs };
}

/** Tells whether a lease is free: nobody holds it, or its holder has not renewed it for its duration. */
export function isFree({ lease: { spec }, changedAtMs }: ObservedLease, nowMs: number): boolean {
  if (!spec?.holderIdentity) return true;
  return nowMs - changedAtMs >= (spec.leaseDurationSeconds ?? 0) * 1000;
}

/** Returns the spec of a lease that `identity` holds. */
export function heldSpec(before: LeaseSpec | undefined, holding: Holding): LeaseSpec {
  const renewTime = microTime(holding.now);
  const isRenewal = before?.holderIdentity === holding.identity;
  const transitions = before?.leaseTransitions ?? 0;
  return {
    holderIdentity: holding.identity,
    leaseDurationSeconds: Math.ceil(holding.leaseMs / 1000),
    acquireTime: isRenewal ? (before.acquireTime ?? renewTime) : renewTime,
    renewTime,
    leaseTransitions: before === undefined || isRenewal ? transitions : transitions + 1,
  };
}

/** Returns the spec of a lease whose holder gives it up: anybody may take it at once. */
export function releasedSpec(before: LeaseSpec, now: Date): LeaseSpec {
  const time = microTime(now);
  return { ...before, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/** The holder of a lease, the time that it lasts and the present time. */
export interface Holding {
  readonly identity: string;
  /** Milliseconds that others leave the lease alone after a renewal. */
  readonly leaseMs: number;
  readonly now: Date;
}

/** The API's MicroTime has six digits, a Date three. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
