import type { Milestone, Phase } from './plan';
import type { Progress } from './progress';

/** The last milestone that a rotation has passed. */
export function phaseOf(progress: Progress): Phase {
  const { rotation, adopted, leavesTurned, signing, bridged, announced, minted, isFirst } = progress;
  if (rotation.aborting) return 'Aborting';
  if (isFirst) return 'Pending';
  if (rotation.retiring) return 'Adopted';
  if (leavesTurned) return adopted ? 'Adopted' : 'LeavesTurned';
  if (signing) return 'Signing';
  if (bridged) return 'Bridged';
  if (announced) return 'Announced';
  return minted ? 'Minted' : 'Stable';
}

/** The milestones of a rotation, each with its evidence or with what it waits for. */
export function milestonesOf(progress: Progress): readonly Milestone[] {
  const { rotation, minted, announced, way, bridged, signed, signing, leavesTurned, adopted, laggards } = progress;
  const { retiring = false } = rotation;
  return [
    minted
      ? passed('Minted', 'Issued', `cert-manager made generation ${rotation.to}, because ${rotation.why}`)
      : open('Minted', 'Issuing', `cert-manager is to make generation ${rotation.to}, because ${rotation.why}`),
    announced
      ? passed('Announced', 'InBundle', 'all that new pods can be given holds the new anchor')
      : open(
          'Announced',
          'Spreading',
          'the new anchor is to be in the bundle of the mesh for as long as that may take to spread',
        ),
    bridgedOf(way, bridged || retiring),
    signing
      ? passed('Signing', 'TakenUp', 'identity issues with the new anchor')
      : open('Signing', signed ? 'Signed' : 'NotSigned', waitedFor(signed)),
    leavesTurned
      ? passed('LeavesTurned', 'Expired', 'no certificate that the old anchor vouched for alone can still be valid')
      : open('LeavesTurned', 'Living', 'certificates of before live for issuanceLifetime'),
    adopted && announced
      ? passed('Adopted', 'AllKnow', 'every pod knows the new anchor')
      : open('Adopted', 'Laggards', `${laggards.pods} pods are not known to know the new anchor`),
    open(
      'Retired',
      retiring ? 'Removing' : 'Needed',
      retiring ? 'the old anchor is being removed' : 'the old anchor is in use',
    ),
  ];
}

function bridgedOf(way: Progress['way'], isBridged: boolean): Milestone {
  if (isBridged) return passed('Bridged', 'Certified', 'the old anchor has certified the new one');
  if (way === 'bridge') return open('Bridged', 'Certifying', 'the old anchor is to certify the new one');
  return open(
    'Bridged',
    'LongWay',
    'the old anchor cannot certify the new one: all pods are restarted before the new one signs',
  );
}

function waitedFor(signed: boolean): string {
  return signed
    ? 'the new anchor signed the issuer, and identity is to take that up'
    : 'the identity issuer is not signed by the new anchor';
}

function passed(type: string, reason: string, message: string): Milestone {
  return { type, status: true, reason, message };
}

function open(type: string, reason: string, message: string): Milestone {
  return { type, status: false, reason, message };
}
