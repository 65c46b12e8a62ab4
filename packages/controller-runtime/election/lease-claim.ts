import { isApiError } from '../client/api-error';
import type { KubeClient } from '../client/kube-client';
import { LEASES } from '../objects/built-in-resources';
import type { Logger } from '../telemetry/logger';
import { attempt } from '../timing/attempt';
import { heldSpec, isFree, type Lease, type ObservedLease, observe, releasedSpec } from './lease';

/** `held` by this process, `taken` by another one, or unknown because the request failed. */
type ClaimOutcome = 'held' | 'taken' | 'failed';

/** The claim of one process to a lease. */
export interface LeaseClaim {
  /**
   * Takes or renews the lease, if that is possible now. Never rejects.
   * @param timeoutMs if less than the claim's own
   */
  attempt(signal: AbortSignal, timeoutMs?: number): Promise<ClaimOutcome>;
  /** Returns the milliseconds until the lease, as last seen, may be taken: 0 for now, infinite if it was never seen. */
  freeInMs(): number;
  /** Returns the holder as last seen; empty for none. */
  holder(): string;
  /** Releases the lease, if held. Never rejects. */
  release(): Promise<void>;
}

/** Options of {@link createLeaseClaim}. */
export interface LeaseClaimOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly log: Logger;
  readonly leaseMs: number;
  /** Maximum milliseconds for an attempt. */
  readonly timeoutMs: number;
}

/** Creates a claim to a lease that was not read yet. */
export function createLeaseClaim(options: LeaseClaimOptions): LeaseClaim {
  const { client, identity, log } = options;
  const metadata = { namespace: options.namespace, name: options.name };
  const key = `${metadata.namespace}/${metadata.name}`;
  let seen: ObservedLease | undefined;
  let isCurrent = false;

  const look = async (signal: AbortSignal): Promise<void> => {
    const lease = await client.get<Lease>(LEASES, key, { signal });
    seen = lease && observe(lease, seen, performance.now());
  };
  const hold = async (signal: AbortSignal): Promise<void> => {
    const spec = heldSpec(seen?.lease.spec, { identity, leaseMs: options.leaseMs, now: new Date() });
    const lease =
      seen === undefined
        ? await client.create<Lease>(LEASES, { metadata, spec }, { signal })
        : await client.update<Lease>(LEASES, { ...seen.lease, spec }, { signal });
    seen = { lease, changedAtMs: performance.now() };
  };
  const holder = (): string => seen?.lease.spec?.holderIdentity ?? '';
  const takeOrRenew = async (signal: AbortSignal): Promise<ClaimOutcome> => {
    // Other processes do not write a held lease: a renewal is one request, not two.
    if (!isCurrent || holder() !== identity) await look(signal);
    isCurrent = false;
    if (seen !== undefined && holder() !== identity && !isFree(seen, performance.now())) return 'taken';
    await hold(signal);
    isCurrent = true;
    return 'held';
  };
  return {
    holder,
    attempt: async (signal, timeoutMs = options.timeoutMs) => {
      try {
        return await attempt({ signal, timeoutMs: Math.min(timeoutMs, options.timeoutMs) }, takeOrRenew);
      } catch (error) {
        const wasFaster = isApiError(error, 409);
        if (!signal.aborted) log[wasFaster ? 'debug' : 'warn']('the lease could not be read or written', { error });
        return 'failed';
      }
    },
    freeInMs: () => {
      if (seen === undefined) return Number.POSITIVE_INFINITY;
      const freeAt = seen.changedAtMs + (seen.lease.spec?.leaseDurationSeconds ?? 0) * 1000;
      return isFree(seen, performance.now()) ? 0 : freeAt - performance.now();
    },
    release: async () => {
      const release = async (signal: AbortSignal): Promise<void> => {
        await look(signal);
        if (seen?.lease.spec === undefined || holder() !== identity) return;
        await client.update<Lease>(
          LEASES,
          { ...seen.lease, spec: releasedSpec(seen.lease.spec, new Date()) },
          { signal },
        );
        log.info('released the lease');
      };
      await attempt({ timeoutMs: options.timeoutMs }, release).catch((error) =>
        log.warn('the lease could not be released', { error }),
      );
    },
  };
}
