import { once } from 'node:events';
import { createServer } from 'node:net';

/** The port that whoever has a network listens on, at the last address of it. */
const LOCK_PORT = 9990;

/**
 * Takes a network for this process that no other has at the same time: pods of it get addresses to which this machine can
 * listen, the first from 127.70.0.0/16 on that is free. Nothing but on Linux, where all of 127.0.0.0/8 is this machine.
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
