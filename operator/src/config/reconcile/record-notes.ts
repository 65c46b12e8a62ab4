import type { LinkerdConfig } from '../objects/linkerd-config';
import type { ConfigNote } from '../plan/plan-result';
import type { ReconcileContext } from './reconcile-context';

/** Reports what was done about a LinkerdConfig, by Events and in the log. */
export function recordNotes(config: LinkerdConfig, notes: readonly ConfigNote[], context: ReconcileContext): void {
  for (const note of notes) context.events.record({ regarding: config, ...note });
  logNotes(config, notes, context);
}

/** Reports it in the log. */
export function logNotes(
  { metadata }: LinkerdConfig,
  notes: readonly ConfigNote[],
  context: Pick<ReconcileContext, 'log'>,
): void {
  for (const { type, reason, note } of notes) {
    context.log[type === 'Warning' ? 'warn' : 'info'](note, { config: metadata.name, reason });
  }
}
