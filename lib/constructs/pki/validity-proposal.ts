import { DAY, HOUR } from '../../../operator/api/time-units';
import { MINIMUM_DURATION, MINIMUM_RENEW_BEFORE } from '../../kubernetes/certificate-limits';
import { type ChainWindows, leafReach, type ValidityWindow } from './validity';

/** A hundred years: far below Go's limit, so that what is derived from it stays below, too. */
const LONGEST = 36_500 * DAY;

/**
 * Windows that break no rule and change as little as possible of the given ones: what the fix of a problem proposes.
 * Windows that break no rule, and last less than a century, come back as they are.
 */
export function proposeValidity(windows: ChainWindows): ChainWindows {
  const reach = Math.min(leafReach(windows), LONGEST / 8);
  const identityIssuer = propose(windows.identityIssuer, reach, HOUR);
  const webhooks = propose(windows.webhooks, 0, HOUR);
  return {
    ...windows,
    identityIssuer,
    webhooks,
    webhookIssuer: propose(windows.webhookIssuer, webhooks.duration, HOUR),
    ...(windows.trustAnchor && { trustAnchor: proposeAnchor(windows.trustAnchor, identityIssuer.duration) }),
  };
}

/** A valid window whose renewBefore covers `needed`: what the certificate signs right before its renewal lives so long. */
function propose(window: ValidityWindow, needed: number, step: number): ValidityWindow {
  const least = Math.max(needed, MINIMUM_RENEW_BEFORE);
  let duration = Math.min(Math.max(window.duration, MINIMUM_DURATION), LONGEST);
  let { renewBefore } = window;
  if (renewBefore < least) renewBefore = ceil(least, needed > 0 ? step : MINIMUM_RENEW_BEFORE);
  if (renewBefore >= duration) renewBefore = Math.max(ceil(needed, step), thirdOf(duration));
  if (renewBefore >= duration) duration = ceil(renewBefore + 1, DAY);
  return { duration, renewBefore };
}

function proposeAnchor(window: ValidityWindow, needed: number): ValidityWindow {
  const { duration, renewBefore } = propose(window, needed, DAY);
  if (renewBefore <= duration / 2) return { duration, renewBefore };
  // Most likely meant from the start: the time that was to pass before the renewal.
  if (duration - renewBefore >= needed) return { duration, renewBefore: duration - renewBefore };
  const least = Math.max(ceil(needed, DAY), MINIMUM_RENEW_BEFORE);
  return { duration: Math.max(duration, 2 * least), renewBefore: least };
}

/** cert-manager's own default for renewBefore. */
function thirdOf(duration: number): number {
  return ceil(duration / 3, MINIMUM_RENEW_BEFORE);
}

function ceil(ms: number, step: number): number {
  return Math.ceil(ms / step) * step;
}
