import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { parse } from 'yaml';
import type { Connection } from '#controller-runtime/client/connection';

/** The address to connect to, and the identity. */
export interface ConnectionSettings {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly token?: string;
  /** A client certificate, PEM. */
  readonly identity?: { readonly cert: string; readonly key: string };
}

/** A connection as `loadConnection` makes it, without client-node, which jest cannot load. */
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
 * The connection that a kubeconfig of the rig describes.
 * @param server another address of the same API server: a proxy's
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

/** Closes what a test's connection still holds open. */
export function closeConnection(connection: Connection): void {
  connection.requestAgent.destroy();
  connection.watchAgent.destroy();
}
