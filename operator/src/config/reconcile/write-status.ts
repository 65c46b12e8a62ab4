import { canonicalJson } from '../../../../packages/base/canonical-json';
import { LINKERD_CONFIGS, type LinkerdConfig } from '../objects/linkerd-config';
import type { ConfigNote } from '../plan/plan-result';
import { type Outcome, statusOf } from './config-status';
import type { Attempt } from './reconcile-context';
import { logNotes, recordNotes } from './record-notes';
import { statusNotes } from './status-notes';

/** Whether the status of a LinkerdConfig already reports an outcome. */
export function isStatus(config: LinkerdConfig, outcome: Outcome, { clock }: Attempt): boolean {
  const wanted = statusOf(config, outcome, clock());
  // Foreign conditions stay in any case.
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
  // Events are few for each object, and those about drift must not be displaced: the status shows that all is well.
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
