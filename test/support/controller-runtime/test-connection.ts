import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { parse } from 'yaml';
import type { Connection } from '#controller-runtime/client/connection';

/** The address and CA of a server, and the identity of a client. */
export interface ConnectionSettings {
  readonly server: string;
  /** The CA of the server, as PEM. */
  readonly ca: string;
  readonly token?: string;
  /** A client certificate, as PEM. */
  readonly identity?: { readonly cert: string; readonly key: string };
}

/** Creates the connection that `loadConnection` would, without client-node, which Jest cannot load. */
export function connectionTo({ server, ca, token, identity }: ConnectionSettings): Connection {
  return {
    server: new URL(server),
    requestAgent: new Agent({ keepAlive: true, maxSockets: 32 }),
    watchAgent: new Agent({ keepAlive: true }),
    credentials: async () => ({
      headers: (token === undefined ? {} : { Authorization: `Bearer ${token}` }) as Record<string, string>,
      tls: { ca, ...identity },
    }),
  };
}

/**
 * The connection of a kubeconfig of the rig.
 * @param server another address of the same API server, such as that of a proxy
 */
export function connectionOf(kubeconfig: string, server?: string): Connection {
  const config = parse(readFileSync(kubeconfig, 'utf8'));
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  const pem = (base64: string): string => Buffer.from(base64, 'base64').toString();
  return connectionTo({
    server: server ?? cluster.server,
    ca: pem(cluster['certificate-authority-data']),
    token: user.token,
    identity: user['client-certificate-data'] && {
      cert: pem(user['client-certificate-data']),
      key: pem(user['client-key-data']),
    },
  });
}

/** Closes the sockets that a test's connection keeps open. */
export function closeConnection(connection: Connection): void {
  connection.requestAgent.destroy();
  connection.watchAgent.destroy();
}
