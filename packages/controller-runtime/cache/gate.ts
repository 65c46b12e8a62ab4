/** A gate that stays open once it is opened. */
export interface Gate {
  open(): void;
  isOpen(): boolean;
  /** Resolves when it is open; rejects with the signal's reason if that aborts first. */
  whenOpen(signal: AbortSignal): Promise<void>;
}

/** Creates a closed gate. */
export function createGate(): Gate {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    open: () => {
      isOpen = true;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    isOpen: () => isOpen,
    whenOpen: async (signal) => {
      if (isOpen) return;
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(onOpen);
          reject(signal.reason);
        };
        const onOpen = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        waiting.add(onOpen);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
