import type { Condition } from '../../api/linkerd-config';
import type { ConfigNote } from './config-plan';
import type { LinkerdConfigStatus } from './linkerd-config';

/** What to say of a status that follows another: what went wrong, what began, and what is done. */
export function statusNotes(
  before: LinkerdConfigStatus | undefined,
  after: LinkerdConfigStatus,
): readonly ConfigNote[] {
  const notes: ConfigNote[] = [];
  const [was, is] = [conditionOf(before, 'Degraded'), conditionOf(after, 'Degraded')];
  if (is?.status === 'True' && (was?.status !== 'True' || was.reason !== is.reason)) {
    notes.push({ type: 'Warning', reason: is.reason, note: is.message });
  }
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

function conditionOf(status: LinkerdConfigStatus | undefined, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
