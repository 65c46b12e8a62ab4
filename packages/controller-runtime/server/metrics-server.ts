import type { Registry } from 'prom-client';
import type { Logger } from '../telemetry/logger';
import { createPlainServer } from './plain-server';
import type { Server } from './server';

/** Options of {@link createMetricsServer}. */
export interface MetricsServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly registry: Registry;
  readonly log: Logger;
}

/** `/metrics`, in Prometheus' text format. */
export function createMetricsServer({ port, registry, log }: MetricsServerOptions): Server {
  return createPlainServer({
    port,
    log,
    pages: {
      '/metrics': async () => ({ status: 200, contentType: registry.contentType, body: await registry.metrics() }),
    },
  });
}
