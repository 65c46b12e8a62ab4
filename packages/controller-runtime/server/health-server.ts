import type { Logger } from '../telemetry/logger';
import { createPlainServer, type Page } from './plain-server';
import type { Server } from './server';

/** Options of {@link createHealthServer}. */
export interface HealthServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Returns what this process waits for; empty when it is ready. */
  readonly missing: () => readonly string[];
  readonly log: Logger;
}

/** `/healthz`: the event loop answers. `/readyz`: nothing is missing. */
export function createHealthServer({ port, missing, log }: HealthServerOptions): Server {
  return createPlainServer({
    port,
    log,
    pages: { '/healthz': () => ({ status: 200, body: 'ok\n' }), '/readyz': () => readiness(missing()) },
  });
}

function readiness(missing: readonly string[]): Page {
  if (missing.length === 0) return { status: 200, body: 'ok\n' };
  return { status: 503, body: missing.map((what) => `not ready: ${what}\n`).join('') };
}
