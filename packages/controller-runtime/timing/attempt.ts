/**
 * Runs an attempt that ends when the caller's signal aborts, or when it takes too long, with an error that names the
 * reason.
 */
export async function attempt<T>(
  limits: { readonly signal?: AbortSignal; readonly timeoutMs: number },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs } = limits;
  signal?.throwIfAborted();
  // Not by AbortSignal.any and AbortSignal.timeout, which stay in memory until garbage collection.
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(
    () => controller.abort(new Error(`no answer within ${Math.round(timeoutMs)} ms`)),
    timeoutMs,
  );
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await run(controller.signal);
  } catch (error) {
    // An aborted request fails in its own ways, such as a broken connection.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
