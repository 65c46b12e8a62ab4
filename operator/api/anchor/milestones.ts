import { listed } from '../kubernetes/listed';
import { TRUST_ROOTS } from '../trust-anchor';
import { hasUnseen } from './adopted';
import { awaitedBridge } from './bridge';
import type { Time } from './chain';
import { heldSince, laggardsOf } from './knowledge';
import { memberKeys } from './members';
import type { AnchorMemory } from './memory';
import type { ObservedTrust } from './observed';
import type { Proof } from './pairs';
import type { Milestone, Phase } from './plan';
import type { Progress } from './progress';
import { leavesTurnedBy, settledBy, spreadBy, takenUpBy } from './times';

/** Returns the last milestone that a rotation has reached. */
export function phaseOf(progress: Progress): Phase {
  const { rotation, adopted, leavesTurned, signing, takenUp, bridged, announced, minted, isFirst } = progress;
  if (rotation.aborting) return 'Aborting';
  if (isFirst) return 'Pending';
  if (rotation.retiring) return 'Adopted';
  if (leavesTurned) return adopted ? 'Adopted' : 'LeavesTurned';
  if (signing || takenUp) return 'Signing';
  if (bridged) return 'Bridged';
  if (announced) return 'Announced';
  return minted ? 'Minted' : 'Stable';
}

/** Returns the milestones of a rotation, each with its evidence, or with what it waits for. */
export function milestonesOf(progress: Progress): readonly Milestone[] {
  const { announced, takenUp, leavesTurned, adopted, isFirst } = progress;
  if (isFirst) return firstMilestones(progress);
  const until = deadlinesOf(progress);
  return [
    ...returnedOf(progress),
    mintedOf(progress),
    announced
      ? passed('Announced', 'InBundle', 'all that new pods can be given holds the new anchor')
      : open(
          'Announced',
          'Spreading',
          'the new anchor is to be in the bundle of the mesh for as long as that may take to spread',
          until.announced,
        ),
    bridgedOf(progress),
    takenUp ? passed('Signing', 'TakenUp', 'identity issues with the new anchor') : signingOf(progress, until.takenUp),
    leavesTurned
      ? passed('LeavesTurned', 'Expired', 'no certificate that depends only on the old anchor can still be valid')
      : open('LeavesTurned', 'Living', 'earlier certificates are valid for issuanceLifetime', until.leavesTurned),
    adopted ? passed('Adopted', 'AllKnow', 'every pod knows the new anchor') : adoptionOf(progress),
    retiredOf(progress),
  ];
}

function adoptionOf({ announced, laggards: { pods } }: Progress): Milestone {
  if (pods > 0) return open('Adopted', 'Laggards', `${pods} pods are not known to know the new anchor`);
  if (!announced)
    return open('Adopted', 'Laggards', 'pods can know the new anchor once it is in the bundle of the mesh');
  return open(
    'Adopted',
    'Settling',
    'every pod that is seen knows the new anchor: that is to hold for propagationDelay',
  );
}

function signingOf(progress: Progress, until: Time | undefined): Milestone {
  const { observed, way, adopted, signed, maySign } = progress;
  const isHeld = way === 'restarts' && adopted && !signed && !maySign && hasUnseen(observed);
  if (isHeld) return open('Signing', UNSEEN_PROXIES, `the new anchor does not sign: ${unseenText(observed)}`);
  return open('Signing', signed ? 'Signed' : 'NotSigned', waitedFor(signed), until);
}

function retiredOf({ observed, rotation, leavesTurned, proof }: Progress): Milestone {
  const isHeld = rotation.dropped === undefined ? unproven(proof) : undefined;
  if (rotation.retiring) return isHeld ?? open('Retired', 'Removing', 'the old anchor is being removed');
  if (hasUnseen(observed)) {
    return open('Retired', UNSEEN_PROXIES, `the old anchor stays in the bundle: ${unseenText(observed)}`);
  }
  return (leavesTurned ? isHeld : undefined) ?? open('Retired', 'Needed', 'the old anchor is in use');
}

/** Reason of a milestone that waits for proxies with certificates that should have expired. */
export const OLD_CHAINS = 'OldChains';

/** Reasons of a milestone that waits for proxies, or for probes of them. */
export const UNPROVEN: readonly string[] = [OLD_CHAINS, 'Unreachable', 'Probing'];

/** Returns the milestone of a rotation whose end proxies do not confirm. */
function unproven({ state, pods, until }: Proof): Milestone | undefined {
  switch (state) {
    case 'held':
      return open(
        'Retired',
        OLD_CHAINS,
        [
          `the old anchor stays in the bundle: ${listed(pods, MOST_NAMED)} present certificates that the new anchor does not verify.`,
          "Certificates live longer than spec.issuanceLifetime, or these proxies do not renew theirs: compare it with identity's -identity-issuance-lifetime, and restart them",
        ].join(' '),
      );
    case 'unreached':
      return open('Retired', 'Unreachable', 'no proxy answers the probes of the operator: it goes on without', until);
    case 'pending':
      return open('Retired', 'Probing', 'the operator asks proxies for their certificates');
    default:
      return undefined;
  }
}

/**
 * Returns the open milestone without a rotation in progress here, while other clusters wait for pods of this one to
 * know their signers.
 */
export function awaitedByMembers(observed: ObservedTrust, { bundles }: AnchorMemory, now: Time): readonly Milestone[] {
  const { policy } = observed;
  const theirs = memberKeys(observed);
  const since = heldSince(bundles, theirs);
  // A pod that restarts before then may get the earlier bundle.
  if (since === undefined || now < spreadBy(since, policy)) return [];
  const { pods, workloads } = laggardsOf(observed.pods, theirs, bundles, policy);
  if (pods === 0) return [];
  const names = workloads.map(({ workload }) => workload);
  const message = `${pods} pods are not known to know the anchors of other clusters, which wait for that: restart ${listed(names, MOST_NAMED)}`;
  return [open('Adopted', MEMBERS_WAIT, message)];
}

/** Reason of a milestone that waits until a request for a rollback is withdrawn. */
export const NO_WAY_BACK = 'NoWayBack';

/** Reason of a milestone that waits for clusters that share the anchor. */
export const MEMBERS_WAIT = 'MembersWait';

/** Reason of a milestone that waits until a user has handled proxies outside the cluster. */
export const UNSEEN_PROXIES = 'UnseenProxies';

/** Maximum number of named proxies and clusters. */
const MOST_NAMED = 3;

function unseenText({ unseen = [] }: ObservedTrust): string {
  return [
    `the operator cannot see which anchors the proxies of ${listed(unseen, MOST_NAMED)} know.`,
    `Give them the roots of ConfigMap ${TRUST_ROOTS} and restart them, or name linked clusters in spec.members,`,
    'then set spec.acceptUnseenProxies to true',
  ].join(' ');
}

/** Certificates of the same key follow the first one: the bridge, and a renewed self-signed one. */
function mintedOf({ rotation, minted }: Progress): Milestone {
  return minted || rotation.announced !== undefined || rotation.retiring
    ? passed('Minted', 'Issued', `cert-manager made generation ${rotation.to}, because ${rotation.why}`)
    : open('Minted', 'Issuing', `cert-manager is to make generation ${rotation.to}, because ${rotation.why}`);
}

/** Returns the milestones of a first anchor. */
function firstMilestones(progress: Progress): readonly Milestone[] {
  return [
    mintedOf(progress),
    progress.signed
      ? passed('Signing', 'Signed', 'the anchor signed the identity issuer')
      : open('Signing', 'NotSigned', 'cert-manager is to sign the identity issuer with the anchor'),
  ];
}

/** Returns the milestone of a rotation to roll back, with the reason if it is not rolled back. */
function returnedOf({ observed, rotation, held, hasReturned, isEmergency }: Progress): readonly Milestone[] {
  if (rotation.aborting) {
    return hasReturned
      ? [open('Returned', 'Removing', 'the old anchor signs, and the new one is being removed')]
      : [open('Returned', 'Returning', 'the new anchor stays in the bundle until no certificate of it is valid')];
  }
  if (!observed.policy.abort) return [];
  if (held) {
    return [
      open(
        'Returned',
        NO_WAY_BACK,
        isEmergency
          ? 'the key of the old anchor leaked, so it does not sign again: the rotation waits, and continues when spec.abort is false'
          : 'the key of the old anchor is not in the cluster, so it cannot sign again: the rotation waits, and continues when spec.abort is false',
      ),
    ];
  }
  return rotation.retiring
    ? [open('Returned', 'Retiring', 'spec.abort came too late, the old anchor is being removed: the rotation goes on')]
    : [
        open(
          'Returned',
          'Committed',
          'spec.abort came too late, clusters that share the anchor may have removed the old one: the rotation goes on',
        ),
      ];
}

function bridgedOf(progress: Progress): Milestone {
  const isBridged = progress.bridged || progress.rotation.retiring === true;
  return isBridged
    ? passed('Bridged', 'Certified', 'the old anchor has certified the new one')
    : awaitedBridge(progress);
}

function waitedFor(signed: boolean): string {
  return signed
    ? 'the new anchor signed the issuer, and identity is to take that up'
    : 'the identity issuer is not signed by the new anchor';
}

function passed(type: string, reason: string, message: string): Milestone {
  return { type, status: true, reason, message };
}

function open(type: string, reason: string, message: string, until?: Time): Milestone {
  return { type, status: false, reason, message, ...(until !== undefined && { until }) };
}

/** Returns the times by which pending steps are done, as far as they have started. */
function deadlinesOf({ rotation, memory: { issuer }, observed: { policy }, signed, takenUp }: Progress) {
  const { announced, signing } = rotation;
  // Until then a replica may start with the previous issuer.
  const settled = takenUp && issuer !== undefined ? settledBy(issuer.seen, policy) : undefined;
  const turning = signing ?? settled;
  return {
    announced: announced && spreadBy(announced, policy),
    takenUp: signed && issuer !== undefined ? takenUpBy(issuer.seen, policy) : undefined,
    leavesTurned: turning && leavesTurnedBy(turning, policy),
  };
}
