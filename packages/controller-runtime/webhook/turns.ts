/** A limit of concurrent work; the rest waits. */
export interface Turns {
  /** Runs the work in its turn. Askers take turns, so that one with much work waits only for itself. */
  take<T>(asker: string, work: () => Promise<T>): Promise<T>;
}

/** @param most maximum number of concurrent work items */
export function createTurns(most: number): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let working = 0;

  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) return;
    const [asker, queue] = first;
    // To the end of the queue, until the asker's next work.
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
      // Finished work hands over its slot directly, so that no other work comes in between.
      if (working >= most) await turn(asker);
      else working += 1;
      try {
        return await work();
      } finally {
        // Only after processing new input: many consecutive turns would delay everything else until all of them are
        // done, including the lease and fast answers.
        setImmediate(handOver);
      }
    },
  };
}
