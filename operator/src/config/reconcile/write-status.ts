import { canonicalJson } from '#base/canonical-json';
import { conditionOf } from '#base/conditions';
import type { ApiError } from '#controller-runtime/client/api-error';
import { RESTART_INCOMPLETE } from '../../propagation/plan/verdict';
import { LINKERD_CONFIGS, type LinkerdConfig, type LinkerdConfigStatus } from '../objects/linkerd-config';
import type { ConfigNote, ConfigProblem } from '../plan/plan-result';
import { type Outcome, statusOf } from './config-status';
import { type Attempt, logNotes, recordNotes } from './reconcile-context';

/** Whether the status of a LinkerdConfig already reports an outcome. */
export function isStatus(config: LinkerdConfig, outcome: Outcome, { clock }: Attempt): boolean {
  const wanted = statusOf(config, outcome, clock());
  // Conditions of other controllers stay in any case.
  const ours = config.status?.conditions?.filter(({ type }) => wanted.conditions?.some((it) => it.type === type));
  return canonicalJson(wanted) === canonicalJson({ ...config.status, conditions: ours });
}

/**
 * Writes the outcome of a LinkerdConfig.
 *
 * @returns the LinkerdConfig with that status
 * @throws ApiError 409 if the LinkerdConfig changed since it was read: the observation is then out of date
 */
export async function writeStatus(config: LinkerdConfig, outcome: Outcome, attempt: Attempt): Promise<LinkerdConfig> {
  if (isStatus(config, outcome, attempt)) return config;
  const { name, resourceVersion } = config.metadata;
  const status = statusOf(config, outcome, attempt.clock());
  const written = await attempt.client.apply<Pick<LinkerdConfig, 'metadata' | 'status'>>(
    LINKERD_CONFIGS,
    { metadata: { name, resourceVersion }, status },
    { subresource: 'status', force: true, signal: attempt.signal },
  );
  const notes = statusNotes(config.status, status);
  recordNotes(config, notes.filter(isWarning), attempt);
  // Not as Events, whose number per object is limited: they would displace those about drift.
  logNotes(
    config,
    notes.filter((note) => !isWarning(note)),
    attempt,
  );
  const { managedFields: _, ...metadata } = written.metadata;
  return { ...config, ...written, metadata };
}

function isWarning({ type }: ConfigNote): boolean {
  return type === 'Warning';
}

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

/** Maximum number of restarts to report by name, because the number of Events per object is limited. */
const NAMED = 5;

function passedByNotes(before: LinkerdConfigStatus | undefined, after: LinkerdConfigStatus): readonly ConfigNote[] {
  const known = new Set(before?.passedBy?.restarts.map(({ workload }) => workload));
  const added = after.passedBy?.restarts.filter(({ workload }) => !known.has(workload)) ?? [];
  const notes = added.slice(0, NAMED).map(({ workload, why }) => `${workload} is skipped: ${why}`);
  const others = added.length - notes.length;
  return [...notes, ...(others > 0 ? [`${others} other restarts are also skipped`] : [])].map((note) => ({
    type: 'Warning',
    reason: RESTART_INCOMPLETE,
    note,
  }));
}

const REFUSED = 'Refused';

/** Returns the problem of a write that the API server rejected. */
export function rejectedWrite({ message }: ApiError): ConfigProblem {
  return { reason: REFUSED, message };
}

/** Returns the refusal in a LinkerdConfig's status, if it concerns its current spec. */
export function reportedRejection({ metadata, status }: LinkerdConfig): ConfigProblem | undefined {
  const degraded = conditionOf(status, 'Degraded');
  if (degraded?.status !== 'True' || degraded.reason !== REFUSED) return undefined;
  if (degraded.observedGeneration !== metadata.generation) return undefined;
  return { reason: REFUSED, message: degraded.message };
}

/**
 * Whether two refusals are the same answer to the same request, even if their messages differ in a time, or an id of
 * the request.
 */
export function isSameRejection(a: ConfigProblem, b: ConfigProblem): boolean {
  return requestAndAnswer(a) === requestAndAnswer(b);
}

/** Returns `PATCH /api/v1/…: 403`, the start of ApiError messages. */
function requestAndAnswer({ message }: ConfigProblem): string {
  return message.split(': ', 2).join(': ');
}
