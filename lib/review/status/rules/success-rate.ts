import { type StatusInput, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';

/** Checks the success rate that the ring of the cluster requires. */
export function checkSuccessRate({ intent, seen }: Pick<StatusInput, 'intent'> & Partial<Pick<StatusInput, 'seen'>>) {
  const least = intent.ring?.health?.successRate;
  if (least === undefined) return [];
  const unasked = seen === undefined ? 'only Applications were read' : 'the ring names no Prometheus';
  const rate = seen?.successRate ?? { unknown: unasked };
  if (typeof rate === 'object') return [statusFinding(STATUS_FINDINGS.successRateUnknown({ reason: rate.unknown }))];
  return rate >= least ? [] : [statusFinding(STATUS_FINDINGS.successRateLow({ rate, least }))];
}
