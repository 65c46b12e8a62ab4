import { MINIMUM_DURATION, MINIMUM_RENEW_BEFORE } from '../../kubernetes/certificate-limits';
import type { Problem } from '../../kubernetes/findings/problem';
import { PKI_FINDINGS } from './findings';
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

function checkWindow(
  certificate: string,
  { duration, renewBefore }: ValidityWindow,
  proposed: ValidityWindow,
): Problem[] {
  const problems: Problem[] = [];
  if (duration < MINIMUM_DURATION) {
    const parameters = { duration: durationText(duration), proposed: durationCode(proposed.duration) };
    problems.push(PKI_FINDINGS.validityRefusedTooShort({ certificate, ...parameters }));
  }
  if (renewBefore < MINIMUM_RENEW_BEFORE) {
    const parameters = { renewBefore: durationText(renewBefore), proposed: durationCode(proposed.renewBefore) };
    problems.push(PKI_FINDINGS.validityRefusedRenewedTooLate({ certificate, ...parameters }));
  }
  if (renewBefore >= duration) {
    const texts = { renewBefore: durationText(renewBefore), duration: durationText(duration) };
    const parameters = { certificate, ...texts, proposed: windowCode(proposed) };
    problems.push(PKI_FINDINGS.validityRefusedInverted(parameters));
  }
  return problems;
}
