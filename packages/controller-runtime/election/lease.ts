import type { KubeObject } from '../objects/kube-object';

/** A Lease of `coordination.k8s.io/v1`, whose holder leads. */
export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

/** The spec of a Lease. */
export interface LeaseSpec {
  /** Empty or absent: no holder. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** RFC 3339 with microseconds. */
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** The number of changes of the holder. */
  readonly leaseTransitions?: number;
}

/** A lease as last observed, and the time at which its last change was observed. */
export interface ObservedLease {
  readonly lease: Lease;
  /** The time at which the current spec was first seen, in milliseconds of a monotonic clock. */
  readonly changedAtMs: number;
}

/**
 * Returns the observation after reading the lease again. The times in a lease are by the clock of its holder, so only
 * their changes matter.
 */
export function observe(lease: Lease, before: ObservedLease | undefined, nowMs: number): ObservedLease {
  const unchanged = before !== undefined && JSON.stringify(before.lease.spec) === JSON.stringify(lease.spec);
  return { lease, changedAtMs: unchanged ? before.changedAtMs : nowMs };
}

/** Whether a lease is free: it has no holder, or its holder has not renewed it for its duration. */
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

/** Returns the spec of a released lease, which any process may take at once. */
export function releasedSpec(before: LeaseSpec, now: Date): LeaseSpec {
  const time = microTime(now);
  return { ...before, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/** The holder of a lease, its duration and the current time. */
export interface Holding {
  readonly identity: string;
  /** Milliseconds for which other processes do not take the lease after a renewal. */
  readonly leaseMs: number;
  readonly now: Date;
}

/** The API's MicroTime has six digits, a Date three. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
