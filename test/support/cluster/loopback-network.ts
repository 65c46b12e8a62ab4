import { once } from 'node:events';
import { createServer } from 'node:net';

/** The owner of a network listens on this port of its last address, as a lock. */
const LOCK_PORT = 9990;

/**
 * Reserves a network for this process, the first free one from 127.70.0.0/16 on, so that a test can listen on its pods'
 * addresses. Returns `undefined` except on Linux, where all of 127.0.0.0/8 is the loopback device.
 */
export async function takeLoopbackNetwork(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  for (let second = 70; second < 120; second += 1) {
    const lock = createServer();
    try {
      lock.listen(LOCK_PORT, `127.${second}.255.254`);
      await once(lock, 'listening');
    } catch {
      continue;
    }
    lock.unref();
    return `127.${second}.0.1/16`;
  }
  throw new Error('All networks from 127.70.0.0/16 to 127.119.0.0/16 are taken.');
}
