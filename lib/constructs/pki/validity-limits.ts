import { violationOf } from '../../../operator/api/kubernetes/violation';
import { MINIMUM_DURATION, MINIMUM_RENEW_BEFORE } from '../../kubernetes/certificate-limits';
import type { Problem } from '../../kubernetes/findings/problem';
import type { ChainWindows, ValidityWindow } from './validity';
import { proposeValidity } from './validity-proposal';
import { durationCode, durationText, windowCode } from './validity-text';

const MEMBERS = ['trustAnchor', 'identityIssuer', 'webhookIssuer', 'webhooks'] as const;

/** Reports what cert-manager refuses in each certificate for itself. */
export function checkLimits(windows: ChainWindows): readonly Problem[] {
  const proposal = proposeValidity(windows);
  return MEMBERS.flatMap((member) => {
    const window = windows[member];
    const proposed = proposal[member];
    return window === undefined || proposed === undefined ? [] : checkWindow(member, window, proposed);
  });
}

/** The certificates with a duration or renewal that is too short for cert-manager, whatever others have. */
export function refusedMembers(windows: ChainWindows): readonly (typeof MEMBERS)[number][] {
  return MEMBERS.filter((member) => isTooShort(windows[member]));
}

function isTooShort(window: ValidityWindow | undefined): boolean {
  return window !== undefined && (window.duration < MINIMUM_DURATION || window.renewBefore < MINIMUM_RENEW_BEFORE);
}

function checkWindow(member: string, { duration, renewBefore }: ValidityWindow, proposed: ValidityWindow): Problem[] {
  const problems: Problem[] = [];
  if (duration < MINIMUM_DURATION) {
    problems.push({
      code: 'certificate-too-short',
      violates: violationOf('window', [duration, renewBefore]),
      what: `${member}.duration is ${durationText(duration)}`,
      why: "cert-manager's webhook refuses a certificate that is valid for less than 1h",
      fix: `set ${member}.duration to ${durationCode(proposed.duration)}`,
    });
  }
  if (renewBefore < MINIMUM_RENEW_BEFORE) {
    problems.push({
      code: 'renewal-too-late',
      violates: violationOf('window', [duration, renewBefore]),
      what: `${member}.renewBefore is ${durationText(renewBefore)}`,
      why: "cert-manager's webhook refuses a renewal less than 5m before expiry",
      fix: `set ${member}.renewBefore to ${durationCode(proposed.renewBefore)}`,
    });
  }
  if (renewBefore >= duration) {
    problems.push({
      code: 'window-inverted',
      violates: violationOf('window', [duration, renewBefore]),
      what: `${member}.renewBefore is ${durationText(renewBefore)}, and its duration is ${durationText(duration)}`,
      why: "The certificate would be due for renewal before it is issued, and cert-manager's webhook refuses it",
      fix: `set ${member} to ${windowCode(proposed)}`,
    });
  }
  return problems;
}
