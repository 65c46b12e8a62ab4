import { chainName } from '../invariant';
import { answerId, nextKey } from '../observe';
import type { Scenario } from '../scenario';
import type { Certified, Issued, Key, State, WorldAnchor } from '../state';
import type { Rules, Step } from './step';

/** cert-manager issues the anchors that it was asked for. */
export function anchorSteps(state: State): readonly Step[] {
  return state.anchors.flatMap((anchor) => {
    if (!anchor.isIssuing) return [];
    const key = nextKey(anchor, state);
    const by = signingKey(state, anchor, key);
    if (by === undefined) return [];
    const { answered: _, ...rest } = anchor;
    const issued: WorldAnchor = { ...rest, certificate: { key, by, ...beyondOf(state, anchor) }, isIssuing: false };
    const label = () => `cert-manager issues anchor ${key}${by === key ? '' : ` as a bridge by ${by}`}`;
    const anchors = state.anchors.map((one) => (one === anchor ? issued : one));
    return [{ actor: 'cert-manager', label, state: { ...state, anchors, ...vouchedFor(state, { key, by }) } } as const];
  });
}

/** Records that one key certified another. */
export function vouchedFor(
  { vouched }: { readonly vouched?: State['vouched'] | undefined },
  made: Certified,
): Pick<State, 'vouched'> {
  const isKnown = vouched?.some(({ key, by }) => key === made.key && by === made.by);
  if (vouched === undefined || isKnown || made.key === made.by) return {};
  return { vouched: [...vouched, made].sort((a, b) => (answerId(a) < answerId(b) ? -1 : 1)) };
}

function beyondOf({ anchors }: State, { asked }: WorldAnchor): Pick<Certified, 'beyond'> {
  const { key, by } = anchors.find(({ generation }) => generation === asked)?.certificate ?? {};
  return by === undefined || by === key ? {} : { beyond: by };
}

function signingKey({ anchors }: State, { asked, answered }: WorldAnchor, own: Key): Key | undefined {
  if (asked === 'self') return own;
  if (asked === 'request') return answered?.key === own ? answered.by : undefined;
  const anchor = anchors.find((one) => one.generation === asked);
  return anchor?.hasIssuer ? anchor.certificate?.key : undefined;
}

/** Returns the next steps of an issuer that cert-manager was asked for. */
export function dueIssuerSteps(state: State, scenario: Scenario): readonly Step[] {
  const { issuer } = state;
  if (issuer.signed !== undefined) {
    const { signed: secret } = issuer;
    const label = () => `cert-manager stores the signed issuer of ${chainName(secret)} in the Secret`;
    return [
      { actor: 'cert-manager', label, isExpected: true, state: { ...state, issuer: { isIssuing: false, secret } } },
    ];
  }
  return issuer.isIssuing ? signatures(state, scenario) : [];
}

/** cert-manager signs an issuer that it was asked for, or renews one unasked. */
export function issuerSteps(state: State, { scenario }: Rules): readonly Step[] {
  const { issuer } = state;
  const due = dueIssuerSteps(state, scenario);
  if (due.length > 0 || issuer.isIssuing || issuer.secret === undefined || state.renewals === 0) return due;
  // The signer is the one named at the moment of signing, so that one step is enough.
  return signatures({ ...state, renewals: state.renewals - 1 }, scenario).map((step) => ({
    ...step,
    actor: 'natural',
    label: () => `unasked, ${step.label()}`,
  }));
}

function signatures(state: State, { clocks, isCertManagerLate }: Scenario): readonly Step[] {
  const seen = new Set<string>();
  return [state, ...(isCertManagerLate ? state.past : [])].flatMap(({ signer, anchors }) => {
    const certificate = anchors.find(({ generation }) => generation === signer)?.certificate;
    if (certificate === undefined) return [];
    const { key, by, beyond } = certificate;
    const text = `${key}${by}${beyond}`;
    if (seen.has(text)) return [];
    seen.add(text);
    const revision = (state.issuer.secret?.revision ?? 0) + 1;
    const signed: Issued = {
      signer: key,
      ...(by !== key && { over: by }),
      ...(beyond !== undefined && { beyond }),
      revision,
      at: state.now + clocks.certManager,
    };
    const label = () => `cert-manager signs an issuer of ${chainName(signed)}`;
    return [
      {
        actor: 'cert-manager',
        label,
        state: { ...state, issuer: { ...state.issuer, isIssuing: true, signed } },
      } as const,
    ];
  });
}
