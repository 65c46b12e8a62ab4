import type { Problem } from '../../kubernetes/findings/problem';
import { PKI_FINDINGS } from './findings';
import { type ChainWindows, leafReach } from './validity';
import { proposeValidity } from './validity-proposal';
import { durationCode, durationText, windowCode } from './validity-text';

/** A certificate of the chains. */
type Member = Exclude<keyof ChainWindows, 'issuanceLifetime' | 'clockSkewAllowance'>;

/** One rule between windows; `proposal` are valid windows for the fix. */
type ChainRule = (windows: ChainWindows, proposal: ChainWindows) => readonly Problem[];

/** The identity controller signs with an issuer until that is renewed. */
const leafWithinIssuer: ChainRule = (windows, proposal) => {
  const { identityIssuer, issuanceLifetime, clockSkewAllowance } = windows;
  if (identityIssuer.renewBefore >= leafReach(windows)) return [];
  return [
    PKI_FINDINGS.certificateOutlivesIssuerLeaf({
      renewBefore: durationText(identityIssuer.renewBefore),
      issuanceLifetime: durationText(issuanceLifetime),
      clockSkewAllowance: durationText(clockSkewAllowance),
      proposed: windowCode(proposal.identityIssuer),
    }),
  ];
};

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

/** Linkerd's guide has 8760h/7320h and means "two months before expiry"; what it says is "after two months". */
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

/**
 * Rules between windows: no certificate must outlive the one that signed it, and no anchor be renewed again and again.
 */
const CHAIN_RULES: readonly (readonly [rule: ChainRule, ...members: Member[]])[] = [
  [leafWithinIssuer, 'identityIssuer'],
  [issuerWithinAnchor, 'trustAnchor', 'identityIssuer'],
  [anchorRenewedLate, 'trustAnchor'],
  [webhookWithinIssuer, 'webhooks', 'webhookIssuer'],
];

/**
 * Reports what the windows break between each other.
 *
 * @param refused certificates that have something wrong by themselves
 */
export function checkChains(windows: ChainWindows, refused: readonly Member[] = []): readonly Problem[] {
  const proposal = proposeValidity(windows);
  return CHAIN_RULES.filter(([, ...members]) => !members.some((member) => refused.includes(member))).flatMap(([rule]) =>
    rule(windows, proposal),
  );
}

/** The other way out, where there is one: an issuer as short as the anchor demands, yet long enough for its leaves. */
function shorterIssuer(limit: number, { identityIssuer }: ChainWindows): string {
  return limit > identityIssuer.renewBefore ? `, or identityIssuer.duration to ${durationCode(limit)} at most` : '';
}
