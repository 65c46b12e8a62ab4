import { DAY } from '#base/time-units';
import { checkThresholds } from '#lib/constructs/monitoring/thresholds';
import { WATCHED } from './watched';

test.each([
  ['webhookErrors', 0],
  ['webhookErrors', 1],
  ['identityErrors', -0.1],
  ['denialsShare', Number.NaN],
  ['reconcileErrors', 10],
  ['webhookLatency', 0],
  ['webhookLatency', 25_001],
  ['certificateRemaining', 0.3 * DAY + 1],
  ['certificateRemaining', 0],
  ['outdatedFor', 0],
  ['denialsBefore', 60_000],
  ['denialsGrowth', 1],
  ['denialsGrowth', Number.POSITIVE_INFINITY],
  ['denialsRate', 0],
  ['denialsRate', Number.NaN],
] as const)('a threshold with which an alert would always fire, or never, is refused: %s as %p', (field, value) => {
  const problems = checkThresholds({ ...WATCHED.thresholds, [field]: value }, DAY);
  expect(problems.map(({ code }) => code)).toEqual(['alert-threshold-refused']);
});

test.each([
  ['webhookLatency', 25_000],
  ['certificateRemaining', 0.3 * DAY],
  ['denialsBefore', 300_000],
  ['denialsGrowth', 1.01],
] as const)('the threshold %s may be %p', (field, value) => {
  expect(checkThresholds({ ...WATCHED.thresholds, [field]: value }, DAY)).toEqual([]);
});
