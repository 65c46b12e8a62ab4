import { createMetrics, type Metrics } from '#controller-runtime/telemetry/metrics';

async function value(metrics: Metrics, series: string): Promise<number | undefined> {
  const line = (await metrics.registry.metrics()).split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

test.each([
  ['success', 'success', undefined, undefined],
  ['requeue_after', 'requeue_after', undefined, undefined],
  ['error', 'error', 1, undefined],
  ['terminal_error', 'error', 1, 1],
] as const)('metrics count a reconcile that ends with %s', async (outcome, result, errors, terminal) => {
  const metrics = createMetrics();
  metrics.reconciled('multus', outcome, 0.02);
  expect(await value(metrics, `controller_runtime_reconcile_total{controller="multus",result="${result}"}`)).toBe(1);
  expect(await value(metrics, 'controller_runtime_reconcile_errors_total{controller="multus"}')).toBe(errors);
  expect(await value(metrics, 'controller_runtime_terminal_reconcile_errors_total{controller="multus"}')).toBe(
    terminal,
  );
  expect(await value(metrics, 'controller_runtime_reconcile_time_seconds_sum{controller="multus"}')).toBe(0.02);
});

test('metrics have a queue before its first key, and count its keys', async () => {
  const metrics = createMetrics();
  const queue = metrics.workqueue('multus');
  const counts = async () => [
    await value(metrics, 'workqueue_depth{name="multus"}'),
    await value(metrics, 'workqueue_adds_total{name="multus"}'),
    await value(metrics, 'workqueue_retries_total{name="multus"}'),
  ];
  expect(await counts()).toEqual([0, 0, 0]);
  queue.added();
  queue.depth(7);
  queue.retried();
  queue.taken(0.5);
  queue.done(0.25);
  expect(await counts()).toEqual([7, 1, 1]);
  expect(await value(metrics, 'workqueue_queue_duration_seconds_sum{name="multus"}')).toBe(0.5);
  expect(await value(metrics, 'workqueue_work_duration_seconds_sum{name="multus"}')).toBe(0.25);
});

test('metrics count requests to the API server and answers of webhooks, and show the lease', async () => {
  const metrics = createMetrics();
  metrics.restRequest({ method: 'GET', host: 'api:6443', code: '200' });
  metrics.admission('/pods', 200, 0.001);
  metrics.leading('lease', true);
  expect(await value(metrics, 'rest_client_requests_total{code="200",method="GET",host="api:6443"}')).toBe(1);
  expect(await value(metrics, 'controller_runtime_webhook_requests_total{webhook="/pods",code="200"}')).toBe(1);
  expect(await value(metrics, 'controller_runtime_webhook_latency_seconds_sum{webhook="/pods"}')).toBe(0.001);
  expect(await value(metrics, 'leader_election_master_status{name="lease"}')).toBe(1);
  metrics.leading('lease', false);
  expect(await value(metrics, 'leader_election_master_status{name="lease"}')).toBe(0);
});
