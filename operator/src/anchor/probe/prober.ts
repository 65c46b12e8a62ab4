import type { Logger } from '#controller-runtime/telemetry/logger';
import { readPeerChain } from '#controller-runtime/tls/peer-chain';
import type { MeshedPod } from '../objects/meshed-pod';
import { type Presented, type ProbeRound, readPresented } from '../observe/presented';
import { chooseTargets, type ProbeTarget } from './probe-targets';

/** The input of a round. */
export interface ProbeRequest {
  readonly pods: readonly MeshedPod[];
  readonly controlPlaneNamespace: string;
  /** Milliseconds between the starts of two rounds. */
  readonly everyMs: number;
  readonly bundles: readonly string[];
  readonly found: readonly string[];
  readonly suspects: readonly string[];
}

/** Probes proxies in rounds. */
export interface Prober {
  /** Returns the last round, and starts the next one when it is due. */
  probe(request: ProbeRequest, signal: AbortSignal): ProbeRound | undefined;
  /** Returns the milliseconds until the next round is due; undefined while one is in progress. */
  dueInMs(everyMs: number): number | undefined;
}

/** Concurrent connections, so that a round takes only seconds even if servers do not answer. */
const CONCURRENCY = 8;

/**
 * Limits of one probe. A chain of ECDSA certificates over a bridge has 3 KB, one of RSA 4096 6 KB. A hostile chain of
 * the maximum size takes 15 ms of CPU time.
 */
const LIMITS = { timeoutMs: 2_000, mostBytes: 16_384 };

/** What a prober depends on. */
export interface ProberContext {
  readonly clock: () => number;
  readonly log: Logger;
  /** Called after each round. */
  readonly onRound: () => void;
  /** @default {@link readPeerChain} */
  readonly read?: typeof readPeerChain;
}

/** Creates a prober. Its rounds do not overlap. */
export function createProber({ clock, log, onRound, read = readPeerChain }: ProberContext): Prober {
  let last: ProbeRound | undefined;
  let startedAt: number | undefined;
  let isRunning = false;
  const dueInMs = (everyMs: number): number => {
    const passed = startedAt === undefined ? everyMs : Math.abs(clock() - startedAt);
    return Math.max(0, everyMs - passed);
  };
  const probe = async (target: ProbeTarget, signal: AbortSignal): Promise<Presented | string> => {
    const { host, port, identity, pod } = target;
    try {
      return readPresented(target, await read({ host, port, serverName: identity }, LIMITS, signal));
    } catch (error) {
      signal.throwIfAborted();
      log.debug('a proxy presents no certificate', { pod, error });
      return pod;
    }
  };
  const run = async (targets: readonly ProbeTarget[], since: number, signal: AbortSignal): Promise<void> => {
    const open = targets.values();
    const results: (Presented | string)[] = [];
    const work = async (): Promise<void> => {
      for (const target of open) results.push(await probe(target, signal));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const isPod = (one: Presented | string): one is string => typeof one === 'string';
    last = {
      since,
      presented: results.flatMap((one) => (isPod(one) ? [] : [one])).toSorted((a, b) => (a.pod < b.pod ? -1 : 1)),
      unreached: results.filter(isPod).toSorted(),
    };
  };
  return {
    probe: ({ pods, everyMs, ...choice }, signal) => {
      if (isRunning || dueInMs(everyMs) > 0) return last;
      const since = clock();
      startedAt = since;
      isRunning = true;
      // Numbered by the clock, so that a new leader continues the sequence.
      const targets = chooseTargets(pods, { ...choice, round: Math.floor(since / everyMs) });
      run(targets, since, signal)
        .finally(() => {
          isRunning = false;
        })
        .then(onRound)
        // Rejects only if this process no longer leads.
        .catch(() => undefined);
      return last;
    },
    dueInMs: (everyMs) => (isRunning ? undefined : dueInMs(everyMs)),
  };
}
