import { conditionOf } from '../../../../packages/base/conditions';
import { RESTART_INCOMPLETE } from '../../propagation/plan/verdict';
import type { LinkerdConfigStatus } from '../objects/linkerd-config';
import type { ConfigNote } from '../plan/plan-result';

/** Returns the notes about a new status: problems, starts, and completions. */
export function statusNotes(
  before: LinkerdConfigStatus | undefined,
  after: LinkerdConfigStatus,
): readonly ConfigNote[] {
  const notes: ConfigNote[] = [];
  const [was, is] = [conditionOf(before, 'Degraded'), conditionOf(after, 'Degraded')];
  const isNews = is?.status === 'True' && (was?.status !== 'True' || was.reason !== is.reason);
  // Skipped restarts are reported individually.
  if (isNews && (is.reason !== RESTART_INCOMPLETE || after.passedBy === undefined)) {
    notes.push({ type: 'Warning', reason: is.reason, note: is.message });
  }
  notes.push(...passedByNotes(before, after));
  if (before?.configHash !== undefined && after.configHash !== undefined && before.configHash !== after.configHash) {
    notes.push({
      type: 'Normal',
      reason: 'ConfigurationChanged',
      note: `The configuration is now ${after.configHash}`,
    });
  }
  const ready = conditionOf(after, 'Ready');
  if (ready?.status === 'True' && conditionOf(before, 'Ready')?.status !== 'True') {
    notes.push({ type: 'Normal', reason: ready.reason, note: ready.message });
  }
  return notes;
}

/** Maximum number of restarts to report by name. Events about one object are few. */
const NAMED = 5;

function passedByNotes(before: LinkerdConfigStatus | undefined, after: LinkerdConfigStatus): readonly ConfigNote[] {
  const known = new Set(before?.passedBy?.restarts.map(({ workload }) => workload));
  const added = after.passedBy?.restarts.filter(({ workload }) => !known.has(workload)) ?? [];
  const notes = added.slice(0, NAMED).map(({ workload, why }) => `${workload} is passed by: ${why}`);
  const others = added.length - notes.length;
  return [...notes, ...(others > 0 ? [`${others} other restarts are passed by, too`] : [])].map((note) => ({
    type: 'Warning',
    reason: RESTART_INCOMPLETE,
    note,
  }));
}
