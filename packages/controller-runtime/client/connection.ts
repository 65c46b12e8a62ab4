import type { Agent } from 'node:https';
import type { SecureContextOptions } from 'node:tls';

/** The client's credentials for the API server, and the CA for the server's. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'passphrase'> & {
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
}

/** The address of the API server, and how to connect to it. */
export interface Connection {
  /** Its address, including its path, if it has one. */
  readonly server: URL;
  /** Called before each request: tokens and client certificates change at run time. */
  credentials(): Promise<Credentials>;
  readonly requestAgent: Agent;
  /** Watches hold their connections for minutes; with a separate agent they cannot starve requests. */
  readonly watchAgent: Agent;
}
