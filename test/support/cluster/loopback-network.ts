import { once } from 'node:events';
import { createServer } from 'node:net';

/** A network below 127.0.0.0/8 that no other test uses at the same time. */
export interface LoopbackNetwork {
  /** For `startCluster({ podCidr })`: pods get addresses to which this machine can listen. */
  readonly podCidr: string;
  /** Others may have it. */
  release(): Promise<void>;
}

/** The port that whoever has a network listens on, at the last address of it. */
const LOCK_PORT = 9990;

/** Takes the first network from 127.70.0.0/16 on that is free. On Linux all of 127.0.0.0/8 is this machine. */
export async function takeLoopbackNetwork(): Promise<LoopbackNetwork> {
  for (let second = 70; second < 120; second += 1) {
    const lock = createServer();
    try {
      lock.listen(LOCK_PORT, `127.${second}.255.254`);
      await once(lock, 'listening');
    } catch {
      continue;
    }
    lock.unref();
    return {
      podCidr: `127.${second}.0.1/16`,
      release: async () => {
        lock.close();
        await once(lock, 'close');
      },
    };
  }
  throw new Error('All networks from 127.70.0.0/16 to 127.119.0.0/16 are taken.');
}
