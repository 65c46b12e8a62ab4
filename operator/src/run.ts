import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { collectDefaultMetrics } from 'prom-client';
import type { Informer } from '#controller-runtime/cache/informer';
import { loadConnection } from '#controller-runtime/client/kube-config';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import {
  becomeLeader,
  type LeaderElectionOptions,
  type Leadership,
} from '#controller-runtime/election/leader-election';
import { createEventRecorder } from '#controller-runtime/events/event-recorder';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { createManager, type Manager } from '#controller-runtime/process/manager';
import { createHealthServer } from '#controller-runtime/server/health-server';
import { createMetricsServer } from '#controller-runtime/server/metrics-server';
import type { Server } from '#controller-runtime/server/server';
import { createServerGroup } from '#controller-runtime/server/server-group';
import type { Logger } from '#controller-runtime/telemetry/logger';
import { createMetrics } from '#controller-runtime/telemetry/metrics';
import { type ServerClock, serverClock } from '#controller-runtime/timing/server-clock';
import { createWebhookServer } from '#controller-runtime/webhook/webhook-server';
import { FIELD_MANAGER, LEASE_NAME } from '../api/names';
import type { TrustAnchorPart } from './anchor/setup';
import { setUpTrustAnchor } from './anchor/setup';
import { trustAnchorRoutes } from './anchor/webhooks/routes';
import { setUpLinkerdConfig } from './config/setup';
import { linkerdConfigRoutes } from './config/webhooks/routes';
import { multusRoutes, setUpMultus } from './multus/setup';
import type { RunOptions } from './run-options';

/** The file with a pod's namespace, from the kubelet. */
const POD_NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/**
 * Runs the controllers and the webhooks until `stop` aborts.
 * @returns the exit code: 1 when the lease was lost, so that another process may lead
 */
export async function run(options: RunOptions, log: Logger, stop: AbortSignal): Promise<number> {
  const metrics = createMetrics();
  // The default of 10 ms wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: metrics.registry, eventLoopMonitoringPrecision: 1000 });
  const identity = `${hostname()}_${randomUUID()}`;
  const serversClock = serverClock();
  const client = createKubeClient(loadConnection(options), {
    fieldManager: FIELD_MANAGER,
    onResponse: (response) => {
      metrics.restRequest(response);
      serversClock.answered(response.date);
    },
  });
  const events = createEventRecorder({ client, log, reporter: { component: FIELD_MANAGER, instance: identity } });
  const election = options.leaderElect ? electionOptions(options, { client, identity, log }) : undefined;
  const lead = async (signal: AbortSignal): Promise<Leadership | undefined> => {
    metrics.leading(LEASE_NAME, false);
    const leadership = election && (await becomeLeader(election, signal));
    metrics.leading(LEASE_NAME, leadership !== undefined);
    return leadership;
  };
  const manager = createManager({
    client,
    events,
    log,
    metrics,
    namespaces: boundsOf(options),
    lead: election && lead,
  });
  addParts(manager, options, serversClock);

  const probes = createServerGroup(log);
  const { healthPort, metricsPort } = options;
  probes.add('health', createHealthServer({ port: healthPort, missing: manager.missing, log }));
  probes.add('metrics', createMetricsServer({ port: metricsPort, registry: metrics.registry, log }));
  await probes.start();
  const end = await manager.run(stop);
  if (end === 'lost') return 1;
  await probes.stop();
  return 0;
}

/** Returns the namespaces to watch; undefined for all. The control plane's is always included. */
function boundsOf({ workloadNamespaces, linkerdNamespace }: RunOptions): readonly string[] | undefined {
  return workloadNamespaces.length === 0 ? undefined : [...new Set([...workloadNamespaces, linkerdNamespace])];
}

function addParts(manager: Manager, options: RunOptions, serversClock: ServerClock): void {
  setUpLinkerdConfig(manager, options);
  const trustAnchor = options.trustAnchor ? setUpTrustAnchor(manager, options, serversClock) : undefined;
  const namespaces = options.multus ? setUpMultus(manager, options) : undefined;
  if (options.enableWebhooks)
    manager.serve('webhook', createWebhooks(manager, { ...options, namespaces, trustAnchorPart: trustAnchor }));
}

function electionOptions(
  options: RunOptions,
  candidate: Pick<LeaderElectionOptions, 'client' | 'identity' | 'log'>,
): LeaderElectionOptions {
  return {
    ...candidate,
    namespace: options.leaderElectNamespace ?? podNamespace(),
    name: LEASE_NAME,
    leaseMs: options.leaderElectLeaseDuration,
    renewDeadlineMs: options.leaderElectRenewDeadline,
    retryMs: options.leaderElectRetryPeriod,
  };
}

function podNamespace(): string {
  try {
    return readFileSync(POD_NAMESPACE_FILE, 'utf8').trim();
  } catch (cause) {
    throw new Error('--leader-elect-namespace: needed for --leader-elect outside of a pod', { cause });
  }
}

interface WebhooksOptions extends RunOptions {
  /** The cache of namespaces; undefined if pods are not attached through Multus. */
  readonly namespaces: Informer<KubeObject> | undefined;
  readonly trustAnchorPart: TrustAnchorPart | undefined;
}

/**
 * Creates the webhooks. They use separate connections to the API server: while the API server waits for a webhook's
 * answer, the webhook must not have to wait for requests from controllers.
 */
function createWebhooks({ metrics, log }: Pick<Manager, 'metrics' | 'log'>, options: WebhooksOptions): Server {
  const { linkerdNamespace, webhookPort, webhookCertDir = '', webhookClientCa, namespaces, trustAnchorPart } = options;
  const clock = () => new Date();
  const client = createKubeClient(loadConnection(options), {
    fieldManager: FIELD_MANAGER,
    onResponse: metrics.restRequest,
  });
  return createWebhookServer({
    port: webhookPort,
    certDir: webhookCertDir,
    clientCaFile: webhookClientCa,
    routes: [
      ...linkerdConfigRoutes({ client, linkerdNamespace, clock }),
      ...(trustAnchorPart === undefined ? [] : trustAnchorRoutes({ ...options, ...trustAnchorPart, client, clock })),
      ...(namespaces === undefined ? [] : multusRoutes({ namespaces, client }, options)),
    ],
    log,
    metrics,
  });
}
