/** A limit of how much work is done at a time; the rest waits. */
export interface Turns {
  /** Does the work when it is its turn. Askers take turns, so that who asks for much waits for himself. */
  take<T>(asker: string, work: () => Promise<T>): Promise<T>;
}

/** @param most how much is done at a time */
export function createTurns(most: number): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let working = 0;

  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) return;
    const [asker, queue] = first;
    // To the end of the line, until whatever else the asker wants.
    waiting.delete(asker);
    const start = queue.shift();
    if (queue.length > 0) waiting.set(asker, queue);
    start?.();
  };
  const turn = (asker: string): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(asker);
      if (queue === undefined) waiting.set(asker, [resolve]);
      else queue.push(resolve);
    });
  const handOver = (): void => {
    if (waiting.size > 0) next();
    else working -= 1;
  };
  return {
    take: async (asker, work) => {
      // Whoever ends hands the place over, so that nobody comes in between.
      if (working >= most) await turn(asker);
      else working += 1;
      try {
        return await work();
      } finally {
        // Only after what has arrived meanwhile was looked at: many turns, one right after the other, would keep everybody
        // else waiting for all of them, the lease and quick answers included.
        setImmediate(handOver);
      }
    },
  };
}
