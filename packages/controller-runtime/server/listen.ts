import type { AddressInfo, Server } from 'node:net';
import { limitedLog } from '../telemetry/limited-log';
import type { Logger } from '../telemetry/logger';

/**
 * Makes a server listen on a port, 0 for any free one. Later failures of the server, such as a connection that cannot
 * be accepted while all file descriptors are in use, are logged, and the server continues.
 * @returns the port; rejects if it is taken
 */
export function listen(server: Server, port: number, log: Logger): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      const limited = limitedLog(log);
      server.on('error', (error) => limited.error('a server failed', { error }));
      resolve((server.address() as AddressInfo).port);
    });
  });
}
