import type { Agent } from 'node:https';
import type { SecureContextOptions } from 'node:tls';

/** The proofs of our identity to the API server, and of its identity to us. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'passphrase'> & {
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
}

/** The address of the API server, and the means to speak to it. */
export interface Connection {
  /** Its address, with the path under which it serves where that is not the root. */
  readonly server: URL;
  /** Asked before each request: tokens and client certificates change while we run. */
  credentials(): Promise<Credentials>;
  readonly requestAgent: Agent;
  /** Watches hold their connections for minutes; of their own, they cannot starve requests. */
  readonly watchAgent: Agent;
}
