import type { Problem } from '../../kubernetes/findings/problem';
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
  const sum = `${durationText(issuanceLifetime)} (issuanceLifetime) + ${durationText(clockSkewAllowance)} (clockSkewAllowance)`;
  return [
    {
      code: 'leaf-outlives-issuer',
      what: `identityIssuer.renewBefore is ${durationText(identityIssuer.renewBefore)}, less than ${sum}`,
      why: 'A proxy that gets its certificate right before the issuer is renewed would hold one that outlives the issuer; its peers reject it from the moment at which the issuer expires',
      fix: `set identityIssuer to ${windowCode(proposal.identityIssuer)}`,
    },
  ];
};

/** An anchor signs issuers until it is renewed. */
const issuerWithinAnchor: ChainRule = ({ trustAnchor, identityIssuer }, proposal) => {
  if (trustAnchor === undefined || proposal.trustAnchor === undefined) return [];
  if (identityIssuer.duration <= trustAnchor.renewBefore) return [];
  return [
    {
      code: 'issuer-outlives-anchor',
      what: `identityIssuer.duration is ${durationText(identityIssuer.duration)}, longer than trustAnchor.renewBefore, which is ${durationText(trustAnchor.renewBefore)}`,
      why: 'An issuer that is signed right before the anchor is renewed would outlive its anchor: once the anchor has expired, every proxy rejects what the issuer issues',
      fix: `set trustAnchor to ${windowCode(proposal.trustAnchor)}${shorterIssuer(trustAnchor.renewBefore, proposal)}`,
    },
  ];
};

/** Linkerd's guide has 8760h/7320h and means "two months before expiry"; what it says is "after two months". */
const anchorRenewedLate: ChainRule = ({ trustAnchor }, proposal) => {
  if (trustAnchor === undefined || proposal.trustAnchor === undefined) return [];
  if (trustAnchor.renewBefore <= trustAnchor.duration / 2 || trustAnchor.renewBefore >= trustAnchor.duration) return [];
  const age = durationText(trustAnchor.duration - trustAnchor.renewBefore);
  return [
    {
      code: 'anchor-renewed-late',
      what: `trustAnchor.renewBefore is ${durationText(trustAnchor.renewBefore)}, and its duration is ${durationText(trustAnchor.duration)}`,
      why: `renewBefore counts back from the end: the anchor would be due for renewal ${age} after it was issued, and every ${age} from then on, and each time every proxy of the mesh must be restarted`,
      fix: `set trustAnchor to ${windowCode(proposal.trustAnchor)}`,
    },
  ];
};

/** The webhooks' CA signs serving certificates until it is renewed. */
const webhookWithinIssuer: ChainRule = ({ webhooks, webhookIssuer }, proposal) => {
  if (webhooks.duration <= webhookIssuer.renewBefore) return [];
  return [
    {
      code: 'webhook-outlives-issuer',
      what: `webhooks.duration is ${durationText(webhooks.duration)}, longer than webhookIssuer.renewBefore, which is ${durationText(webhookIssuer.renewBefore)}`,
      why: 'A serving certificate that is signed right before its CA is renewed would outlive the CA: once the CA has expired, the API server can call the webhook no more',
      fix: `set webhookIssuer to ${windowCode(proposal.webhookIssuer)}`,
    },
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
