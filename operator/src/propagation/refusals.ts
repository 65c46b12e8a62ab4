/** Restarts that the API server refused: they are not tried again all the time. */
export interface Refusals {
  add(id: string, refusal: { readonly configHash: string | undefined; readonly message: string }): void;
  /** Those of late with this configuration: what they say, by the workload's id. */
  current(configHash: string): ReadonlyMap<string, string>;
}

/** How long a refusal counts. */
export const REFUSAL_MS = 60_000;

/** @param now milliseconds of a clock that only goes forward */
export function refusals(now: () => number): Refusals {
  const byId = new Map<string, { readonly configHash?: string; readonly message: string; readonly at: number }>();
  return {
    add: (id, refusal) => void byId.set(id, { ...refusal, at: now() }),
    current: (configHash) => {
      for (const [id, refusal] of byId) {
        if (refusal.configHash !== configHash || now() - refusal.at >= REFUSAL_MS) byId.delete(id);
      }
      return new Map([...byId].map(([id, { message }]) => [id, message]));
    },
  };
}
