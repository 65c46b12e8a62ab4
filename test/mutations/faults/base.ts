import type { Fault } from '../fault';

export const base: readonly Fault[] = [
  {
    file: 'packages/base/go-duration.ts',
    from: 'return total === LIMIT ? undefined : total;',
    to: 'return total;',
    why: 'a duration one nanosecond too long is accepted',
  },
  {
    file: 'packages/base/label-selector.ts',
    from: 'return value === undefined || !values.includes(value);',
    to: 'return value !== undefined && !values.includes(value);',
    why: 'NotIn does not match objects without the label',
  },
  {
    file: 'packages/base/networks.ts',
    from: 'one.prefix > other.prefix',
    to: 'one.prefix >= other.prefix',
    why: 'a network does not contain itself',
  },
  {
    file: 'packages/base/json-pointer.ts',
    from: "text.replaceAll('~1', '/').replaceAll('~0', '~')",
    to: "text.replaceAll('~0', '~').replaceAll('~1', '/')",
    why: '~01 becomes a slash',
  },
];
