import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the check throws nothing, and returns what it returned.
 * @throws the check's last error when the time is up; it is the best account of what was missing
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
    // Who has waited for long can wait a little longer.
    await sleep(Math.max(intervalMs, Math.min((Date.now() - start) / 20, 500)));
  }
}
