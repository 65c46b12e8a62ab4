import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { WorkqueueObserver } from './workqueue-observer';

/** The outcome of a reconcile. */
export type ReconcileOutcome = 'success' | 'requeue_after' | 'error' | 'terminal_error';

/** The operator's metrics, named as in controller-runtime. */
export interface Metrics {
  readonly registry: Registry;
  workqueue(name: string): WorkqueueObserver;
  reconciled(controller: string, outcome: ReconcileOutcome, seconds: number): void;
  /** A webhook answered, with this HTTP status. */
  admission(webhook: string, code: number, seconds: number): void;
  /** The API server answered with this HTTP status, or `<error>` for a broken connection. */
  restRequest(request: { readonly method: string; readonly host: string; readonly code: string }): void;
  /** Records whether this process holds the lease. */
  leading(lease: string, leads: boolean): void;
}

/** controller-runtime's buckets, from 5 ms to a minute, reduced. */
const RECONCILE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** A webhook's answer takes less than a millisecond, unless there is a problem. */
const ADMISSION_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** client-go's decades, without those below the resolution of clocks. */
const QUEUE_SECONDS = [0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000];

/** Creates metrics in a separate registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const rest = new Counter({
    name: 'rest_client_requests_total',
    help: 'Requests to the API server by status code, method and host.',
    labelNames: ['code', 'method', 'host'],
    registers,
  });
  const leader = new Gauge({
    name: 'leader_election_master_status',
    help: 'Whether this process holds the lease: 1 or 0.',
    labelNames: ['name'],
    registers,
  });
  return {
    registry,
    workqueue: workqueueMetrics(registers),
    reconciled: reconcileMetrics(registers),
    admission: admissionMetrics(registers),
    restRequest: ({ code, method, host }) => rest.inc({ code, method, host }),
    leading: (name, leads) => leader.set({ name }, leads ? 1 : 0),
  };
}

function reconcileMetrics(registers: Registry[]): Metrics['reconciled'] {
  const total = new Counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Reconciles by controller and result.',
    labelNames: ['controller', 'result'],
    registers,
  });
  const errors = new Counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Reconciles that failed, by controller.',
    labelNames: ['controller'],
    registers,
  });
  const terminalErrors = new Counter({
    name: 'controller_runtime_terminal_reconcile_errors_total',
    help: 'Reconciles that failed and are not retried, by controller.',
    labelNames: ['controller'],
    registers,
  });
  const time = new Histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'How long reconciles took, by controller.',
    labelNames: ['controller'],
    buckets: RECONCILE_SECONDS,
    registers,
  });
  return (controller, outcome, seconds) => {
    const failed = outcome === 'error' || outcome === 'terminal_error';
    total.inc({ controller, result: failed ? 'error' : outcome });
    if (failed) errors.inc({ controller });
    if (outcome === 'terminal_error') terminalErrors.inc({ controller });
    time.observe({ controller }, seconds);
  };
}

function admissionMetrics(registers: Registry[]): Metrics['admission'] {
  const requests = new Counter({
    name: 'controller_runtime_webhook_requests_total',
    help: 'Admission requests by webhook and HTTP status code.',
    labelNames: ['webhook', 'code'],
    registers,
  });
  const latency = new Histogram({
    name: 'controller_runtime_webhook_latency_seconds',
    help: 'How long admission requests took, by webhook.',
    labelNames: ['webhook'],
    buckets: ADMISSION_SECONDS,
    registers,
  });
  return (webhook, code, seconds) => {
    requests.inc({ webhook, code });
    latency.observe({ webhook }, seconds);
  };
}

function workqueueMetrics(registers: Registry[]): Metrics['workqueue'] {
  const labelNames = ['name'];
  const depth = new Gauge({ name: 'workqueue_depth', help: 'Keys that wait for a worker.', labelNames, registers });
  const adds = new Counter({ name: 'workqueue_adds_total', help: 'Keys added.', labelNames, registers });
  const retries = new Counter({ name: 'workqueue_retries_total', help: 'Keys to be retried.', labelNames, registers });
  const waited = new Histogram({
    name: 'workqueue_queue_duration_seconds',
    help: 'How long keys waited for a worker.',
    labelNames,
    buckets: QUEUE_SECONDS,
    registers,
  });
  const worked = new Histogram({
    name: 'workqueue_work_duration_seconds',
    help: 'How long workers processed keys.',
    labelNames,
    buckets: QUEUE_SECONDS,
    registers,
  });
  return (name) => {
    const labels = { name };
    // All metrics exist from the start, because an alert on a rate needs the initial zero.
    depth.set(labels, 0);
    adds.inc(labels, 0);
    retries.inc(labels, 0);
    return {
      depth: (keys) => depth.set(labels, keys),
      added: () => adds.inc(labels),
      retried: () => retries.inc(labels),
      taken: (seconds) => waited.observe(labels, seconds),
      done: (seconds) => worked.observe(labels, seconds),
    };
  };
}
