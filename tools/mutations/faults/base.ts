import type { Fault } from '../fault';

export const base: readonly Fault[] = [
  {
    file: 'packages/base/go-duration.ts',
    from: 'return total === LIMIT ? undefined : total;',
    to: 'return total;',
    why: 'a duration one nanosecond too long is accepted',
  },
];
