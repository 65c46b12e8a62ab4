/** A server that listens on a port. */
export interface Server {
  /** Resolves with the port, once it listens. */
  start(): Promise<number>;
  /** Accepts no more connections. Resolves when the requests in flight are answered. */
  stop(): Promise<void>;
}
