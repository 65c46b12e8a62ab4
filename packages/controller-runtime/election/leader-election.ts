import type { KubeClient } from '../client/kube-client';
import type { Logger } from '../telemetry/logger';
import { sleep } from '../timing/wait';
import { createLeaseClaim, type LeaseClaim } from './lease-claim';

/** Options of {@link becomeLeader}. */
export interface LeaderElectionOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  /** Unique among all processes that ever take part. */
  readonly identity: string;
  readonly log: Logger;
  /** Milliseconds that other processes wait for a leader without a renewal. @default 15,000 */
  readonly leaseMs?: number;
  /** Milliseconds that the leader tries to renew before it gives up; less than leaseMs. @default 10,000 */
  readonly renewDeadlineMs?: number;
  /** Milliseconds between attempts. @default 2,000 */
  readonly retryMs?: number;
}

/** The durations of kube-controller-manager. */
const LEASE_MS = 15_000;
const RENEW_DEADLINE_MS = 10_000;
const RETRY_MS = 2_000;
const JITTER = 0.2;

/** The leadership of this process, held while it leads. */
export interface Leadership {
  /** Aborts when the leadership is lost: another process may lead from then on. */
  readonly lost: AbortSignal;
  /** Lets another process lead at once. Resolves when it may, or when the API server cannot be reached. */
  release(): Promise<void>;
}

/** Waits until this process leads; undefined if `stop` aborts before. */
export async function becomeLeader(options: LeaderElectionOptions, stop: AbortSignal): Promise<Leadership | undefined> {
  const { log, leaseMs = LEASE_MS, renewDeadlineMs = RENEW_DEADLINE_MS, retryMs = RETRY_MS } = options;
  const claim = createLeaseClaim({ ...options, leaseMs, timeoutMs: renewDeadlineMs / 2 });
  log.info('waiting for the lease');
  while (!stop.aborted) {
    const begunAt = performance.now();
    const outcome = await claim.attempt(stop);
    if (outcome === 'held') return lead(claim, begunAt, options);
    // An aborted attempt may have reached the API server.
    if (outcome === 'failed' && stop.aborted) await claim.release();
    // Jitter, so that standbys do not send requests all at once; and no wait exceeds the lease.
    const retryInMs = retryMs * (1 + Math.random() * JITTER);
    await sleep(Math.min(retryInMs, claim.freeInMs() || retryInMs), stop);
  }
  return undefined;
}

function lead(claim: LeaseClaim, acquiredAt: number, options: LeaderElectionOptions): Leadership {
  const lost = new AbortController();
  const ending = new AbortController();
  options.log.info('this process leads');
  const renewing = keepRenewing(claim, { acquiredAt, ending: ending.signal, options }).then((reason) => {
    if (reason === undefined) return;
    options.log.error('lost the lease', { reason });
    lost.abort(new Error(`Lost the lease: ${reason}`));
  });
  return {
    lost: lost.signal,
    release: async () => {
      ending.abort(new Error('The lease is being released'));
      await renewing;
      if (!lost.signal.aborted) await claim.release();
    },
  };
}

interface Renewing {
  readonly acquiredAt: number;
  readonly ending: AbortSignal;
  readonly options: LeaderElectionOptions;
}

/** Returns undefined when `ending` aborts, or the reason when the lease is lost. */
async function keepRenewing(claim: LeaseClaim, { acquiredAt, ending, options }: Renewing): Promise<string | undefined> {
  const { renewDeadlineMs = RENEW_DEADLINE_MS, retryMs = RETRY_MS } = options;
  let renewedAt = acquiredAt;
  const remainingMs = (): number => renewedAt + renewDeadlineMs - performance.now();
  while (true) {
    await sleep(Math.min(retryMs, Math.max(remainingMs(), 0)), ending);
    if (ending.aborted) return undefined;
    const timeoutMs = remainingMs();
    if (timeoutMs <= 0) return `it could not be renewed for ${renewDeadlineMs} ms`;
    // The time before the request, because other processes count from the time when the API server gets it.
    const begunAt = performance.now();
    const outcome = await claim.attempt(ending, timeoutMs);
    if (ending.aborted) return undefined;
    if (outcome === 'taken') return `${claim.holder()} holds it`;
    if (outcome === 'held') renewedAt = begunAt;
  }
}
