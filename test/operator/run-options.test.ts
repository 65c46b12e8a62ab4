import { checkRunOptions, RUN_FLAGS, type RunOptions } from '#operator/src/run-options';

const defaults = Object.fromEntries(Object.entries(RUN_FLAGS).map(([name, each]) => [name, each.default]));
const good = { ...defaults, webhookCertDir: '/certificate' } as RunOptions;

test.each<[string, Partial<RunOptions>]>([
  ['the defaults with a certificate', {}],
  ['a missing certificate without webhooks', { enableWebhooks: false, webhookCertDir: undefined }],
  ['ports that the system chooses', { webhookPort: 0, metricsPort: 0, healthPort: 0 }],
  ['the webhook port for metrics without webhooks', { enableWebhooks: false, webhookPort: 8080 }],
  ['invalid durations without leader election', { leaderElectLeaseDuration: 0 }],
])('the check of options accepts %s', (_what, options) => expect(checkRunOptions({ ...good, ...options })).toEqual([]));

test.each<[Partial<RunOptions>, string]>([
  [{ webhookCertDir: undefined }, '--webhook-cert-dir: needed for the webhooks, which --no-enable-webhooks turns off'],
  [{ metricsPort: 8081 }, '--metrics-port, --health-port: the same port, 8081'],
  [{ webhookPort: 8080 }, '--metrics-port, --webhook-port: the same port, 8080'],
  [
    { leaderElect: true, leaderElectLeaseDuration: 10_000 },
    '--leader-elect-lease-duration: must be longer than --leader-elect-renew-deadline',
  ],
  [
    { leaderElect: true, leaderElectRetryPeriod: 10_000 },
    '--leader-elect-renew-deadline: must be longer than --leader-elect-retry-period',
  ],
  [{ leaderElect: true, leaderElectRetryPeriod: 0 }, '--leader-elect-retry-period: must be longer than 0'],
  [{ leaderElect: true, leaderElectLeaseDuration: 15_500 }, '--leader-elect-lease-duration: must be whole seconds'],
])('the check of options, changed by %p, reports: %s', (options, problem) =>
  expect(checkRunOptions({ ...good, ...options })).toEqual([problem]),
);
