/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Resolves after this many milliseconds, or when the signal aborts if that comes first. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    if (signal.aborted) wake();
    else signal.addEventListener('abort', wake, { once: true });
  });
}

/** Runs a task whose signal aborts after this many milliseconds, or with the given one if that comes first. */
export async function within<T>(
  ms: number,
  task: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const limit = new AbortController();
  // Not AbortSignal.any: what that makes may live as long as the longest-lived of its signals.
  const abort = (): void => limit.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => limit.abort(new Error(`Not done within ${Math.round(ms)} ms`)), ms);
  try {
    return await task(limit.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
