import { HOUR } from '#base/time-units';
import { humanTime } from '#operator/src/anchor/status/human-time';

test.each([
  [87_600 * HOUR, '10y'],
  [36 * HOUR, '36h'],
  [48 * HOUR, '2d'],
  [-5 * 60_000, '-5m'],
  [90_000, '90s'],
  [0, '0s'],
])('humanTime prints %d ms as %s', (ms, text) => expect(humanTime(ms)).toBe(text));
