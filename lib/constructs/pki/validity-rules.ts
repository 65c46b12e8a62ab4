import type { Problem } from '#base/findings/problem';
import { DAY, HOUR, MINUTE, SECOND } from '#base/time-units';
import { durationText } from '#kubernetes/options/duration-like';
import { MAX_LENGTH, proposeWindow, roundUp } from '../../checks/certificate-chains';
import { MINIMUM_DURATION, MINIMUM_RENEW_BEFORE } from '../../checks/certificate-limits';
import { leafReach } from '../../checks/linkerd/identity-issuer-check';
import { PKI_FINDINGS } from './findings';
import {
  type ChainWindows,
  durationCode,
  omissionsOf,
  type Validity,
  type ValidityWindow,
  windowCode,
} from './validity';

type Member = Exclude<keyof ChainWindows, 'issuanceLifetime' | 'clockSkewAllowance'>;

/** `proposal` has valid windows for the fix. */
type ChainRule = (windows: ChainWindows, proposal: ChainWindows) => readonly Problem[];

/** The identity controller signs with an issuer until the issuer is renewed. */
const leafWithinIssuer: ChainRule = (windows, proposal) => {
  const { identityIssuer, issuanceLifetime, clockSkewAllowance } = windows;
  if (identityIssuer.renewBefore >= leafReach(windows)) return [];
  return [
    PKI_FINDINGS.certificateOutlivesIssuerLeaf({
      renewBefore: durationText(identityIssuer.renewBefore),
      issuanceLifetime: durationText(issuanceLifetime),
      clockSkewAllowance: durationText(clockSkewAllowance),
      proposed: windowCode(proposal.identityIssuer),
      lifetime: durationCode(longestLifetime(windows, Math.min(identityIssuer.renewBefore, identityIssuer.duration))),
    }),
  ];
};

/** Returns the longest lifetime of certificates that expire before an issuer with this `renewBefore`. */
function longestLifetime({ clockSkewAllowance }: ChainWindows, renewBefore: number): number {
  const longest = Math.max(renewBefore - clockSkewAllowance, 0);
  const step = [HOUR, MINUTE, SECOND].find((one) => one <= longest) ?? 1;
  return Math.max(Math.floor(longest / step) * step, 1);
}

/** Reports members that a prop lacks, and proposes valid windows. */
export function checkOmissions(windows: ChainWindows, omissions: Omissions): readonly Problem[] {
  const proposal = proposeValidity(windows);
  return MEMBERS.flatMap((certificate) => {
    const missing = omissions[certificate] ?? [];
    const window = windows[certificate];
    const proposed = proposal[certificate];
    if (missing.length === 0 || window === undefined || proposed === undefined) return [];
    const parameters = { certificate, members: missing.join(' and '), proposed: windowCode(proposed) };
    const isTooShort =
      certificate === 'identityIssuer' && !missing.includes('duration') && window.duration <= leafReach(windows);
    if (!isTooShort || window.duration < MINIMUM_DURATION) return [PKI_FINDINGS.validityRefusedIncomplete(parameters)];
    const renewBefore = Math.ceil(window.duration / 2 / MINUTE) * MINUTE;
    return [
      PKI_FINDINGS.validityRefusedIncompleteIssuer({
        ...parameters,
        reach: durationText(leafReach(windows)),
        kept: windowCode({ duration: window.duration, renewBefore }),
        lifetime: durationCode(longestLifetime(windows, renewBefore)),
      }),
    ];
  });
}

/** The members that props lack, by certificate. */
export type Omissions = { readonly [M in Member]?: readonly (keyof ValidityWindow)[] };

/** Returns the missing members of each incomplete validity. */
export function omissionsIn(given: { readonly [M in Member]?: Validity | undefined }): Omissions {
  const omissions = Object.entries(given).map(([name, validity]) => [name, omissionsOf(validity)] as const);
  return Object.fromEntries(omissions.filter(([, missing]) => missing.length > 0));
}

/** An anchor signs issuers until it is renewed. */
const issuerWithinAnchor: ChainRule = ({ trustAnchor, identityIssuer }, proposal) => {
  if (trustAnchor === undefined || proposal.trustAnchor === undefined) return [];
  if (identityIssuer.duration <= trustAnchor.renewBefore) return [];
  return [
    PKI_FINDINGS.certificateOutlivesIssuerIssuer({
      duration: durationText(identityIssuer.duration),
      renewBefore: durationText(trustAnchor.renewBefore),
      proposed: `${windowCode(proposal.trustAnchor)}${shorterIssuer(trustAnchor.renewBefore, proposal)}`,
    }),
  ];
};

/** Linkerd's guide has 8760h/7320h and means "two months before expiry", but these values mean "after two months". */
const anchorRenewedLate: ChainRule = ({ trustAnchor }, proposal) => {
  if (trustAnchor === undefined || proposal.trustAnchor === undefined) return [];
  if (trustAnchor.renewBefore <= trustAnchor.duration / 2 || trustAnchor.renewBefore >= trustAnchor.duration) return [];
  return [
    PKI_FINDINGS.validityRefusedAnchorRenewedLate({
      renewBefore: durationText(trustAnchor.renewBefore),
      duration: durationText(trustAnchor.duration),
      age: durationText(trustAnchor.duration - trustAnchor.renewBefore),
      proposed: windowCode(proposal.trustAnchor),
    }),
  ];
};

/** The webhooks' CA signs serving certificates until it is renewed. */
const webhookWithinIssuer: ChainRule = ({ webhooks, webhookIssuer }, proposal) => {
  if (webhooks.duration <= webhookIssuer.renewBefore) return [];
  return [
    PKI_FINDINGS.certificateOutlivesIssuerWebhook({
      duration: durationText(webhooks.duration),
      renewBefore: durationText(webhookIssuer.renewBefore),
      proposed: windowCode(proposal.webhookIssuer),
    }),
  ];
};

/** Rules between windows: no certificate may outlive its signer, and no anchor may be renewed again and again. */
const CHAIN_RULES: readonly (readonly [rule: ChainRule, ...members: Member[]])[] = [
  [leafWithinIssuer, 'identityIssuer'],
  [issuerWithinAnchor, 'trustAnchor', 'identityIssuer'],
  [anchorRenewedLate, 'trustAnchor'],
  [webhookWithinIssuer, 'webhooks', 'webhookIssuer'],
];

/**
 * Reports violations between windows.
 *
 * @param refused certificates whose windows are invalid
 */
export function checkChains(windows: ChainWindows, refused: readonly Member[] = []): readonly Problem[] {
  const proposal = proposeValidity(windows);
  return CHAIN_RULES.filter(([, ...members]) => !members.some((member) => refused.includes(member))).flatMap(([rule]) =>
    rule(windows, proposal),
  );
}

/**
 * Returns the alternative fix, if possible: an issuer that is short enough for the anchor, and long enough for the
 * certificates that it signs.
 */
function shorterIssuer(limit: number, { identityIssuer }: ChainWindows): string {
  return limit > identityIssuer.renewBefore ? `, or identityIssuer.duration to ${durationCode(limit)} at most` : '';
}

const MEMBERS = ['trustAnchor', 'identityIssuer', 'webhookIssuer', 'webhooks'] as const;

/** Reports windows that cert-manager refuses. */
export function checkLimits(windows: ChainWindows, omitted: readonly Member[] = []): readonly Problem[] {
  const proposal = proposeValidity(windows);
  return MEMBERS.filter((member) => !omitted.includes(member)).flatMap((member) => {
    const window = windows[member];
    const proposed = proposal[member];
    return window === undefined || proposed === undefined ? [] : checkWindow(member, window, proposed);
  });
}

/** Returns the certificates whose duration or renewal is missing, or too short for cert-manager. */
export function refusedMembers(windows: ChainWindows, omissions: Omissions = {}): readonly (typeof MEMBERS)[number][] {
  return MEMBERS.filter((member) => omissions[member] !== undefined || isTooShort(windows[member]));
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

/**
 * Returns valid windows that change the given ones as little as possible, for the fix of a problem. Returns valid
 * windows shorter than a century unchanged.
 */
export function proposeValidity(windows: ChainWindows): ChainWindows {
  const reach = Math.min(leafReach(windows), MAX_LENGTH / 8);
  const identityIssuer = proposeWindow(windows.identityIssuer, reach, HOUR);
  const webhooks = proposeWindow(windows.webhooks, 0, HOUR);
  return {
    ...windows,
    identityIssuer,
    webhooks,
    webhookIssuer: proposeWindow(windows.webhookIssuer, webhooks.duration, HOUR),
    ...(windows.trustAnchor && { trustAnchor: proposeAnchor(windows.trustAnchor, identityIssuer.duration) }),
  };
}

function proposeAnchor(window: ValidityWindow, needed: number): ValidityWindow {
  const { duration, renewBefore } = proposeWindow(window, needed, DAY);
  if (renewBefore <= duration / 2) return { duration, renewBefore };
  // The most likely intention: a time after issuance instead of before expiry.
  if (duration - renewBefore >= needed) return { duration, renewBefore: duration - renewBefore };
  const least = Math.max(roundUp(needed, DAY), MINIMUM_RENEW_BEFORE);
  return { duration: Math.max(duration, 2 * least), renewBefore: least };
}
