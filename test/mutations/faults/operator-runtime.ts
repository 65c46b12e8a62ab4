import type { Fault } from '../fault';

export const operatorRuntime: readonly Fault[] = [
  {
    file: 'packages/controller-runtime/timing/token-bucket.ts',
    from: 'Math.min(burst, tokens + ((time - filledAt) / 1000) * perSecond)',
    to: 'tokens + ((time - filledAt) / 1000) * perSecond',
    why: 'an idle bucket overflows',
  },
  {
    file: 'packages/controller-runtime/timing/server-clock.ts',
    from: 'Math.max(...offsets)',
    to: 'Math.min(...offsets)',
    why: 'the slowest answer counts',
  },
  {
    file: 'packages/controller-runtime/controller/workqueue.ts',
    from: 'Math.max(backoffDelayMs(BACKOFF, count), retries.reserve())',
    to: 'backoffDelayMs(BACKOFF, count)',
    why: 'retries have no common rate',
  },
  {
    file: 'packages/controller-runtime/controller/workqueue.ts',
    from: 'if (known !== undefined && known.at <= at) return;',
    to: '',
    why: 'a later time for a key replaces an earlier one',
  },
  {
    file: 'packages/controller-runtime/controller/key-set.ts',
    from: 'if (working.has(key)) again.add(key);\n      else put(key);',
    to: 'put(key);',
    why: 'a key is processed twice at a time',
  },
  {
    file: 'packages/controller-runtime/election/lease.ts',
    from: 'changedAtMs: unchanged ? before.changedAtMs : nowMs',
    to: 'changedAtMs: nowMs',
    why: 'a lease that is read again never expires',
  },
  {
    file: 'packages/controller-runtime/election/lease.ts',
    from: 'before === undefined || isRenewal ? transitions : transitions + 1',
    to: 'isRenewal ? transitions : transitions + 1',
    why: 'a new lease has changed its holder once',
  },
  {
    file: 'packages/controller-runtime/election/lease-claim.ts',
    from: 'if (seen?.lease.spec === undefined || holder() !== identity) return;',
    to: 'if (seen?.lease.spec === undefined) return;',
    why: 'the lease of another process is released',
  },
  {
    file: 'packages/controller-runtime/cache/reflector-timing.ts',
    from: 'count: answers && !answered ? 1 : count + 1',
    to: 'count: count + 1',
    why: 'the first refusal after an outage waits as long as the outage did',
  },
  {
    file: 'packages/controller-runtime/cache/informer.ts',
    from: 'if (old === undefined || isLaterVersion(old.metadata.resourceVersion, object.metadata.resourceVersion)) return [];',
    to: 'if (old === undefined) return [];',
    why: 'an old deletion removes a newer object',
  },
  {
    file: 'packages/controller-runtime/cache/informer.ts',
    from: 'if (old.metadata.uid === object.metadata.uid) return',
    to: 'if (old.metadata.uid !== undefined) return',
    why: 'an unseen deletion is not reported',
  },
  {
    file: 'packages/controller-runtime/client/list-pages.ts',
    from: 'items.length = 0;\n',
    to: '',
    why: 'objects are listed twice if a list expires between pages',
  },
  {
    file: 'packages/controller-runtime/client/api-error.ts',
    from: '!(error instanceof ApiError) || error.status === 429 || error.status >= 500',
    to: '!(error instanceof ApiError) || error.status >= 500',
    why: 'a request to an overloaded server is not retried',
  },
  {
    file: 'packages/controller-runtime/client/watch-stream.ts',
    from: 'begun.length === 0 ? end : Buffer.concat([...begun, end])',
    to: 'Buffer.concat([...begun.slice(-1), end])',
    why: 'a line of more than two chunks loses its beginning',
  },
];
