import type { Logger } from '../telemetry/logger';
import type { Server } from './server';

/** Servers that start and stop together. */
export interface ServerGroup {
  add(name: string, server: Server): void;
  /** Starts all servers, and logs their ports. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Returns the servers that do not listen yet. */
  missing(): readonly string[];
}

/** Creates a group without servers. */
export function createServerGroup(log: Logger): ServerGroup {
  const servers = new Map<string, Server>();
  const listening = new Set<string>();
  const start = async ([name, server]: readonly [string, Server]): Promise<void> => {
    const port = await server.start();
    listening.add(name);
    log.info('listening', { server: name, port });
  };
  return {
    add: (name, server) => void servers.set(name, server),
    start: async () => {
      await Promise.all([...servers].map(start));
    },
    stop: async () => {
      await Promise.all([...servers].flatMap(([name, server]) => (listening.has(name) ? [server.stop()] : [])));
    },
    missing: () => [...servers.keys()].filter((name) => !listening.has(name)).map((name) => `server ${name}`),
  };
}
