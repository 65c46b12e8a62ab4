import type { MessagePort } from 'node:worker_threads';
import { FIELD_MANAGER } from '../api/names';
import { linkerdConfigRoutes } from './config/webhooks/routes';
import { multusRoutes } from './multus/setup';
import type { RunOptions } from './run-options';
import { createInformerPool } from './runtime/cache/informer-pool';
import { loadConnection } from './runtime/client/kube-config';
import { createKubeClient } from './runtime/client/rest-client';
import { ALIVE_MS, type ThreadMessage } from './runtime/process/thread-messages';
import { createThreadServer, type ThreadServerOptions } from './runtime/process/thread-server';
import type { Server } from './runtime/server/server';
import { createLogger } from './runtime/telemetry/logger';
import type { Metrics } from './runtime/telemetry/metrics';
import { createWebhookServer } from './runtime/webhook/webhook-server';

/** The `workerData` of the thread. */
interface WebhookThreadData {
  readonly thread: 'webhook';
  readonly options: RunOptions;
}

/** Tells whether this thread is to serve the webhooks, by its `workerData`. */
export function isWebhookThread(data: unknown): data is WebhookThreadData {
  return typeof data === 'object' && data !== null && 'thread' in data && data.thread === 'webhook';
}

/**
 * The webhooks, in a thread that runs the script of this process once more: with a connection and a cache of its own,
 * so that neither plans of the controllers hold up pods, nor requests the lease.
 */
export function createWebhookThread(
  options: RunOptions,
  { metrics, log }: Pick<ThreadServerOptions, 'log'> & { readonly metrics: Metrics },
): Server {
  return createThreadServer({
    name: 'webhook',
    script: process.argv[1] ?? '',
    port: options.webhookPort,
    dataFor: (webhookPort): WebhookThreadData => ({ thread: 'webhook', options: { ...options, webhookPort } }),
    log,
    onEnd: metrics.webhookThreadEnded,
    onMetrics: (message) => {
      if (message.kind === 'restRequest') metrics.restRequest(message.request);
      else for (const admission of message.admissions) metrics.admission(...admission);
    },
  });
}

/** Milliseconds that answers are counted before the other thread is told. */
const COUNTED_MS = 200;

/** Serves the webhooks until the thread is told to stop, and ends it. */
export async function serveWebhooks({ options }: WebhookThreadData, parent: MessagePort): Promise<void> {
  const { linkerdNamespace, webhookPort, webhookCertDir = '', webhookClientCa } = options;
  const tell = (message: ThreadMessage): void => parent.postMessage(message);
  const log = createLogger({ level: options.logLevel, write: (line) => process.stderr.write(line) });
  const client = createKubeClient(loadConnection(options), {
    fieldManager: FIELD_MANAGER,
    onResponse: (request) => tell({ kind: 'restRequest', request }),
  });
  const caches = createInformerPool({ client, log });
  const counted = countedAdmissions((admissions) => tell({ kind: 'admissions', admissions }));
  const server = createWebhookServer({
    port: webhookPort,
    certDir: webhookCertDir,
    clientCaFile: webhookClientCa,
    routes: [
      ...linkerdConfigRoutes({ client, linkerdNamespace, clock: () => new Date() }),
      ...(options.multus ? multusRoutes({ caches, client }, options) : []),
    ],
    log,
    metrics: counted,
  });
  const tellAlive = (): void =>
    tell({ kind: 'alive', missing: caches.incomplete().map(({ resource }) => `webhook cache of ${resource.plural}`) });

  const stop = new AbortController();
  const following = caches.run(stop.signal);
  const port = await server.start();
  tellAlive();
  tell({ kind: 'listening', port });
  const signs = setInterval(tellAlive, ALIVE_MS);
  for (const cache of caches.incomplete()) void cache.whenSynced(stop.signal).then(tellAlive, () => undefined);
  parent.once('message', () => void end());
  const end = async (): Promise<void> => {
    await server.stop();
    counted.flush();
    stop.abort(new Error('The webhooks stop'));
    await following;
    clearInterval(signs);
    // Kept connections would hold the thread; what it wrote last goes through the other one.
    process.stderr.write('', () => process.exit(0));
  };
}

/** Collects what is counted, since a message for each answer would cost as much as the answer. */
function countedAdmissions(
  tell: (admissions: readonly Parameters<Metrics['admission']>[]) => void,
): Pick<Metrics, 'admission'> & { flush(): void } {
  let admissions: Parameters<Metrics['admission']>[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (admissions.length > 0) tell(admissions);
    admissions = [];
  };
  return {
    admission: (...admission) => {
      admissions.push(admission);
      timer ??= setTimeout(flush, COUNTED_MS);
    },
    flush,
  };
}
