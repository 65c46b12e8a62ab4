import type { PropagationAction } from './plan/actions';

/** Restarts that the API server rejected, stored to avoid constant retries. */
export interface RejectedRestarts {
  /** Records that the restart of a workload, by its id, was rejected. */
  add(id: string, rejection: { readonly configHash: string | undefined; readonly message: string }): void;
  /** Returns the messages of recent rejections with this configuration, by the workload's id. */
  current(configHash: string): ReadonlyMap<string, string>;
}

/** Milliseconds for which a rejection counts. */
export const REJECTION_MS = 60_000;

/** @param now milliseconds of a monotonic clock */
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

/** Detects planned repetitions of a restart, which another client must have undone. */
export interface RestartRepetitions {
  /** Records an executed action. */
  add(action: PropagationAction): void;
  /** Returns the ids of the workloads that actions would restart for the same reason as last time. */
  among(actions: readonly PropagationAction[]): readonly string[];
}

/**
 * Records the last restart of each workload. A restart is an annotation of a pod template: a tool that resets the
 * template would cause the annotation to be written, and the pods replaced, repeatedly.
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
