import { listed } from '#base/findings/listed';
import type { InjectorState } from './injector-state';
import type { Waiting, Wave } from './wave';

/** The reason of a degraded state with skipped late restarts. */
export const RESTART_INCOMPLETE = 'RestartIncomplete';

/** The conditions of a status, without their times. */
export interface Verdict {
  /** The condition Progressing: true while the configuration is being propagated. */
  readonly progressing: { readonly status: boolean; readonly reason: string; readonly message: string };
  /** The condition Degraded; absent without problems. */
  readonly degraded?: {
    readonly reason: 'InjectorMissing' | 'RolloutStuck' | typeof RESTART_INCOMPLETE;
    readonly message: string;
  };
}

const NAMED = 5;

/** Returns the conditions while not every injector has the configuration. */
export function injectorVerdict(state: Exclude<InjectorState, { kind: 'injecting' }>, injector: string): Verdict {
  switch (state.kind) {
    case 'missing':
      return stopped('InjectorMissing', `${injector} does not exist, so no pod gets the configuration.`);
    case 'away':
      return stopped('InjectorMissing', `No replica of ${injector} is available, so no pod gets the configuration.`);
    case 'outdated':
      return progressing('InjectorRollout', `${injector} must restart to load the configuration.`);
    case 'unrecorded':
      return progressing('InjectorRollout', `${injector} has the configuration.`);
    case 'rolling':
      return state.overdue === undefined
        ? progressing('InjectorRollout', `${injector} restarts: it waits until ${state.until}.`)
        : stopped('RolloutStuck', `${injector} does not start with the configuration: ${ended(state.overdue)}`);
  }
}

/** Returns the conditions while workloads restart. */
export function waveVerdict({ chosen, restarting, waiting, stuck, passedBy, queued }: Wave): Verdict {
  if (stuck.length > 0) return stopped('RolloutStuck', `Restarts have stopped because of ${list(stuck)}.`);
  const incomplete = `Skipped: ${list(passedBy)}.`;
  const degraded: Pick<Verdict, 'degraded'> =
    passedBy.length === 0 ? {} : { degraded: { reason: RESTART_INCOMPLETE, message: incomplete } };
  const sentences: string[] = [];
  const running = [...restarting, ...chosen].map(({ id, state }) => ({
    id,
    why: state.kind === 'restarting' ? `until ${state.until}` : '',
  }));
  if (running.length > 0) sentences.push(`Restarting ${list(running)}; ${queued} to follow.`);
  if (waiting.length > 0) sentences.push(`Waiting: ${list(waiting)}.`);
  if (running.length === 0 && queued > 0) sentences.push(`${queued} to follow.`);
  if (sentences.length > 0) {
    return { ...progressing(running.length > 0 ? 'Restarting' : 'Waiting', sentences.join(' ')), ...degraded };
  }
  if (passedBy.length > 0) return stopped(RESTART_INCOMPLETE, incomplete);
  return {
    progressing: {
      status: false,
      reason: 'UpToDate',
      message: 'All workloads that follow the configuration use it.',
    },
  };
}

function progressing(reason: string, message: string): Verdict {
  return { progressing: { status: true, reason, message } };
}

function stopped(reason: NonNullable<Verdict['degraded']>['reason'], message: string): Verdict {
  return { progressing: { status: false, reason, message }, degraded: { reason, message } };
}

function list(items: readonly Waiting[]): string {
  const named = items.map(({ id, why }) => (why === '' ? id : `${id} (${why.replace(/\.$/, '')})`));
  return listed(named, NAMED);
}

function ended(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
