import type { AnchorAction } from '../../plan';
import { answerId, hashOf, replicaName, workloadOf } from '../observe';
import type { Shown, State, WorldAction, WorldAnchor, WorldIdentity } from '../state';
import { vouchedFor } from './cert-manager';
import { withPod } from './pods';

/** Returns the state after a write of the operator. */
export function act(state: Omit<State, 'pending'>, action: WorldAction): State {
  switch (action.do) {
    case 'tell':
      return { ...state, reported: action.report };
    case 'apply-anchor':
      return { ...state, anchors: withAnchor(state, action) };
    case 'keep-roots':
      return { ...state, kept: action.keys };
    case 'apply-issuer':
      return edited(state, action.generation, { hasIssuer: true });
    case 'bundle':
      return edited(state, action.generation, { bundled: action.bundled });
    case 'set-signer':
      return { ...state, signer: action.generation };
    case 'hold-signer':
      return withoutSigner(state);
    case 'renew-issuer':
      return { ...state, issuer: renewed(state.issuer, action.revision) };
    case 'answer-request':
      return { ...state, anchors: state.anchors.map((anchor) => answeredBy(anchor, state, action)) };
    case 'delete-anchor':
      return withoutAnchor(state, action.generation);
    case 'restart-identity':
      return { ...state, identity: state.identity.map((replica) => restarted(state, replica)) };
    case 'restart-laggards':
      return withoutLaggards(state, action.workloads);
    case 'certify':
      return { ...state, ...certifiedBy(state, action.generation) };
    case 'withdraw-certificate': {
      const { certification: _, ...rest } = state;
      return rest;
    }
    case 'renew-anchor':
      return edited(state, action.generation, { isIssuing: true });
    case 'keep-key':
      return state;
    default:
      return action satisfies never;
  }
}

/** The generation after a rolled back one reuses its number with a new key, which matters if the first key leaked. */
function withoutAnchor(state: Omit<State, 'pending'>, generation: number): Omit<State, 'pending'> {
  const key = state.anchors.find((one) => one.generation === generation)?.certificate?.key;
  const isLeaked = key !== undefined && state.leaked?.includes(key);
  return {
    ...state,
    anchors: state.anchors.filter((one) => one.generation !== generation),
    lost: state.lost + (isLeaked ? 1 : 0),
  };
}

/** cert-manager signs the other cluster's request at once, unless the request has changed. */
function certifiedBy(
  { anchors, heard, vouched }: Omit<State, 'pending'>,
  generation: number,
): Pick<State, 'certification' | 'vouched'> {
  const by = anchors.find((one) => one.generation === generation && one.hasIssuer)?.certificate?.key;
  if (by === undefined || heard?.request === undefined) return {};
  const certification = { key: heard.request, by };
  return { certification, ...vouchedFor({ vouched }, certification) };
}

/** Ignores the answer to a request that was answered or replaced since, and an answer that was reverted. */
function answeredBy(
  anchor: WorldAnchor,
  { answer: own, heard }: Pick<State, 'answer' | 'heard'>,
  { generation, certificates }: Extract<AnchorAction, { do: 'answer-request' }>,
): WorldAnchor {
  const isOpen = anchor.asked === 'request' && anchor.isIssuing && anchor.answered === undefined;
  const answer = own ?? heard?.given;
  if (anchor.generation !== generation || !isOpen || answer === undefined) return anchor;
  return certificates.includes(answerId(answer)) ? { ...anchor, answered: answer } : anchor;
}

/** Ignores a renewal of an issuer that changed since: the API server refuses the write. */
function renewed(issuer: State['issuer'], revision: number | undefined): State['issuer'] {
  return issuer.isIssuing || issuer.secret?.revision !== revision ? issuer : { ...issuer, isIssuing: true };
}

function restarted({ now, bundle, issuer }: Shown & Pick<State, 'now'>, before: WorldIdentity): WorldIdentity {
  return { roots: bundle, issuer: issuer.secret ?? before.issuer, since: now };
}

/** Restarts identity's replicas if they are among the workloads, or else the pods of the first workload. */
function withoutLaggards(state: State, workloads: readonly string[]): State {
  const identity = state.identity.map((one, at) => (workloads.includes(replicaName(at)) ? restarted(state, one) : one));
  if (workloads.includes(replicaName(0))) return { ...state, identity };
  const pods = state.pods.filter((pod) => workloads[0] !== workloadOf(pod));
  const { [workloads[0]?.replace('pods-', '') ?? '']: _, ...starts } = state.starts ?? {};
  return {
    ...state,
    ...(state.starts && { starts }),
    pods: pods.some((pod) => hashOf(pod) === hashOf(state.bundle)) ? pods : withPod(pods, state.bundle),
  };
}

function withAnchor(
  { anchors }: Pick<State, 'anchors'>,
  { generation, signer, bundled }: Extract<AnchorAction, { do: 'apply-anchor' }>,
): readonly WorldAnchor[] {
  const before = anchors.find((anchor) => anchor.generation === generation);
  if (before === undefined)
    return [...anchors, { generation, bundled, asked: signer, isIssuing: true, hasIssuer: false }];
  const isIssuing = before.isIssuing || before.asked !== signer;
  const { answered, ...rest } = before;
  // A request to another signer is another request.
  const kept = answered !== undefined && before.asked === signer ? { answered } : {};
  return anchors.map((anchor) =>
    anchor === before ? { ...rest, ...kept, bundled, asked: signer, isIssuing } : anchor,
  );
}

/** Changes one anchor. */
export function edited<S extends Pick<State, 'anchors'>>(state: S, generation: number, edit: Partial<WorldAnchor>): S {
  const anchors = state.anchors.map((anchor) => (anchor.generation === generation ? { ...anchor, ...edit } : anchor));
  return { ...state, anchors };
}

/** Deletes the pointer to the anchor that signs. */
export function withoutSigner<S extends Pick<State, 'signer'>>(state: S): S {
  const { signer: _, ...rest } = state;
  return rest as S;
}
