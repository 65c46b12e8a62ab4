import type { PropagationAction } from './plan/actions';

/** Notices restarts that are about to be made a second time, which only happens when somebody undoes them. */
export interface RestartRepetitions {
  /** Takes note of an action that was carried out. */
  add(action: PropagationAction): void;
  /** The ids of the workloads that actions would restart for what they were restarted for last. */
  among(actions: readonly PropagationAction[]): readonly string[];
}

/**
 * A restart is an annotation of a pod template. A tool that puts the template back to what it knows would have it
 * written, and the pods replaced, over and over again.
 */
export function restartRepetitions(): RestartRepetitions {
  const last = new Map<string, string>();
  return {
    add: ({ id, body }) => {
      if (id !== undefined) last.set(id, restartOf(body));
    },
    among: (actions) =>
      actions.flatMap(({ id, body }) => (id !== undefined && last.get(id) === restartOf(body) ? [id] : [])),
  };
}

function restartOf({ spec }: PropagationAction['body']): string {
  return JSON.stringify(spec);
}
