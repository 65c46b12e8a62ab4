import { DISTRUSTED } from '#anchor/compromised';
import type { TrustAnchorStatus } from '#anchor/trust-anchor';
import { conditionOf } from '#base/conditions';
import type { EventNote } from '#controller-runtime/events/event';
import { ROOTS_KNOWN } from './anchor-status';
import { PAIRS_VERIFIED } from './pairs-condition';

/** A note for readers of the TrustAnchor's events. */
export type AnchorNote = Omit<EventNote, 'regarding'>;

/** Conditions that are reported in other ways. */
const GENERAL = new Set(['Ready', 'Progressing', 'Degraded', ROOTS_KNOWN, PAIRS_VERIFIED]);

/** Returns the changes in a status: problems, reached milestones, and the start and end of a rotation. */
export function statusNotes(before: TrustAnchorStatus | undefined, after: TrustAnchorStatus): readonly AnchorNote[] {
  const was = new Map(before?.conditions?.map((condition) => [condition.type, condition]));
  const notes: AnchorNote[] = [];
  const [began, begins] = [rotationOf(before), rotationOf(after)];
  if (begins !== undefined && began !== begins) {
    notes.push({ type: 'Normal', reason: 'RotationBegan', note: begins });
  }
  const { bridge } = after;
  if (bridge !== undefined && bridge.request !== before?.bridge?.request) {
    const note = `Sign the request in status.bridge with the key of the anchor ${bridge.signer}: cdk8s-linkerd anchor request prints it`;
    notes.push({ type: 'Warning', reason: 'SignatureNeeded', note });
  }
  for (const { type, status, reason, message } of after.conditions ?? []) {
    const last = was.get(type);
    if (type === 'Degraded' && status === 'True' && (last?.status !== 'True' || last.reason !== reason)) {
      notes.push({ type: 'Warning', reason, note: message });
    }
    if (!GENERAL.has(type) && status === 'True' && last?.status !== 'True') {
      notes.push({ type: 'Normal', reason: type, note: message });
    }
  }
  if (began !== undefined && begins === undefined) notes.push(endNote(before));
  return [...notes, ...compromisedNotes(before, after), ...pairsNotes(before, after)];
}

function compromisedNotes(before: TrustAnchorStatus | undefined, after: TrustAnchorStatus): readonly AnchorNote[] {
  const [last, now] = [before, after].map((it) => conditionOf(it, DISTRUSTED));
  if (now?.status !== 'False' || (last?.status === 'False' && last.reason === now.reason)) return [];
  return [{ type: 'Warning', reason: 'KeyCompromised', note: now.message }];
}

function pairsNotes(before: TrustAnchorStatus | undefined, after: TrustAnchorStatus): readonly AnchorNote[] {
  const [last, pairs] = [before, after].map((it) => conditionOf(it, PAIRS_VERIFIED));
  if (pairs === undefined || pairs.status === last?.status) return [];
  const { status, message: note } = pairs;
  if (status === 'False') return [{ type: 'Warning', reason: 'PairsRefused', note }];
  return status === 'True' && last?.status === 'False' ? [{ type: 'Normal', reason: PAIRS_VERIFIED, note }] : [];
}

function endNote(before: TrustAnchorStatus | undefined): AnchorNote {
  if (before?.phase === 'Aborting') {
    return { type: 'Normal', reason: 'RotationAborted', note: 'The rotation was rolled back: the old anchor signs' };
  }
  const { from } = (before?.memory?.rotation ?? {}) as { readonly from?: unknown };
  const note = from === undefined ? 'The mesh has its first anchor' : 'The new anchor has replaced the old one';
  return { type: 'Normal', reason: 'Rotated', note };
}

function rotationOf(status: TrustAnchorStatus | undefined): string | undefined {
  const rotation = status?.memory?.rotation as { readonly to?: unknown; readonly why?: unknown } | undefined;
  return rotation === undefined
    ? undefined
    : `The rotation to generation ${rotation.to} began, because ${rotation.why}`;
}
