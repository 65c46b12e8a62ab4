import type { KubeClient } from '#controller-runtime/client/kube-client';
import { apiError } from '../../controller-runtime/api-error';

const WRITES = new Set(['apply', 'patch', 'delete']);

/** A fault at the n-th read or the n-th write, counted from 1. */
export interface Fault {
  /**
   * - `killed-before`, `killed-after`: the process ends before, or after, the write;
   * - `unanswered`: the write succeeds, and the answer is lost;
   * - `conflict`: another client has written to the object;
   * - `refused`: a policy forbids the write;
   * - `unread`: the API server does not answer.
   */
  readonly kind: 'killed-before' | 'killed-after' | 'unanswered' | 'conflict' | 'refused' | 'unread';
  readonly at: number;
}

/** A client that counts reads and writes, and fails at one of them. */
export interface FaultyClient {
  readonly client: KubeClient;
  reads(): number;
  writes(): number;
  /** True after a fault has ended the client's process. */
  isDead(): boolean;
  /** True after the fault has occurred. */
  hasMet(): boolean;
}

/** @param fault without one, the client only counts */
export function faultyClient(client: KubeClient, fault?: Fault): FaultyClient {
  const count = { reads: 0, writes: 0 };
  const state = { isDead: false, hasMet: false };
  const call = async (method: string, perform: () => Promise<unknown>): Promise<unknown> => {
    if (state.isDead) throw new Error('this process has ended');
    const isWrite = WRITES.has(method);
    if (isWrite) count.writes += 1;
    else count.reads += 1;
    const isIt = fault?.at === (isWrite ? count.writes : count.reads) && isWrite === (fault.kind !== 'unread');
    if (!isIt || state.hasMet) return await perform();
    state.hasMet = true;
    if (fault.kind === 'conflict') throw apiError(409, { reason: 'Conflict' });
    if (fault.kind === 'refused') throw apiError(403, { reason: 'Forbidden', message: 'not permitted' });
    if (fault.kind === 'unread') throw apiError(503);
    state.isDead = fault.kind !== 'unanswered';
    if (fault.kind !== 'killed-before') await perform();
    throw new Error(fault.kind);
  };
  return {
    client: new Proxy(client, {
      get: (target, method: string) => {
        const own = Reflect.get(target, method) as ((...args: unknown[]) => Promise<unknown>) | undefined;
        return own && ((...args: unknown[]) => call(method, () => own(...args)));
      },
    }),
    reads: () => count.reads,
    writes: () => count.writes,
    isDead: () => state.isDead,
    hasMet: () => state.hasMet,
  };
}
