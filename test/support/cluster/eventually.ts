import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats a check until it throws no error, and returns its result.
 * @throws the check's last error after the timeout
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 50 }: { readonly timeoutMs?: number; readonly intervalMs?: number } = {},
): Promise<T> {
  const start = Date.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= start + timeoutMs) throw error;
    }
    // The interval grows with the time waited so far.
    await sleep(Math.max(intervalMs, Math.min((Date.now() - start) / 20, 500)));
  }
}
