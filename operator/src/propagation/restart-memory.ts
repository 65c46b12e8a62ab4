import type { PropagationAction } from './plan/actions';

/** Restarts that the API server rejected: they are not tried again all the time. */
export interface RejectedRestarts {
  /** Remembers that the restart of a workload, by its id, was rejected. */
  add(id: string, rejection: { readonly configHash: string | undefined; readonly message: string }): void;
  /** The messages of late rejections with this configuration, by the workload's id. */
  current(configHash: string): ReadonlyMap<string, string>;
}

/** Milliseconds that a rejection counts. */
export const REJECTION_MS = 60_000;

/** @param now milliseconds of a clock that only goes forward */
export function rejectedRestarts(now: () => number): RejectedRestarts {
  const byId = new Map<string, { readonly configHash?: string; readonly message: string; readonly at: number }>();
  return {
    add: (id, rejection) => void byId.set(id, { ...rejection, at: now() }),
    current: (configHash) => {
      for (const [id, rejection] of byId) {
        if (rejection.configHash !== configHash || now() - rejection.at >= REJECTION_MS) byId.delete(id);
      }
      return new Map([...byId].map(([id, { message }]) => [id, message]));
    },
  };
}

/** Notices restarts that are about to be made a second time, which only happens when somebody undoes them. */
export interface RestartRepetitions {
  /** Remembers an action that was carried out. */
  add(action: PropagationAction): void;
  /** The ids of the workloads that actions would restart for what they were restarted for last. */
  among(actions: readonly PropagationAction[]): readonly string[];
}

/**
 * Remembers the last restart of each workload. A restart is an annotation of a pod template: a tool that puts the
 * template back to what it knows would have it written, and the pods replaced, over and over again.
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
