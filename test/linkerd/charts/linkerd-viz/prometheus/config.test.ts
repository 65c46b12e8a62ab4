import { parse } from 'yaml';
import { prometheusConfig } from '../../../../../lib/linkerd/charts/linkerd-viz/prometheus/config';
import { viewOf } from '../fixture';

interface Config {
  readonly global: unknown;
  readonly scrape_configs: readonly Record<string, unknown>[];
  readonly alerting?: unknown;
  readonly remote_write?: unknown;
}

const text = (prometheus: Parameters<typeof viewOf>[0], namespace = 'linkerd-viz') =>
  prometheusConfig(viewOf({ prometheus }), { namespace });
const config = (prometheus: Parameters<typeof viewOf>[0]) => parse(text(prometheus), { version: '1.1' }) as Config;

test('everything that values add stands where Prometheus reads it', () => {
  const relabelling = [{ action: 'keep', regex: 'a: b', source_labels: ['x'] }];
  const added = {
    globalConfig: { external_labels: { cluster: 'home' } },
    metricRelabelConfigs: relabelling,
    scrapeConfigs: [{ job_name: 'extra' }],
    alertmanagers: [{ scheme: 'http' }],
    alertRelabelConfigs: relabelling,
    remoteWrite: [{ url: 'http://rw/api', name: '2024-01-01' }],
  };
  const { global, scrape_configs: jobs, alerting, remote_write: remoteWrite } = config(added);
  expect(global).toMatchObject({ external_labels: { cluster: 'home' }, scrape_interval: '10s' });
  expect(jobs.map((job) => job.job_name)).toEqual([
    'prometheus',
    'kubernetes-nodes-cadvisor',
    'linkerd-controller',
    'linkerd-multicluster-controller',
    'linkerd-proxy',
    'extra',
  ]);
  expect(jobs[4]).toMatchObject({ metric_relabel_configs: relabelling });
  expect(alerting).toEqual({ alert_relabel_configs: relabelling, alertmanagers: added.alertmanagers });
  expect(remoteWrite).toEqual(added.remoteWrite);
});

test('what is empty is left out', () => {
  const empty = { globalConfig: { scrape_interval: null, scrape_timeout: null, evaluation_interval: null } };
  expect(config({ ...empty, scrapeConfigs: [], remoteWrite: [], alertmanagers: [] })).toMatchObject({ global: null });
  expect(Object.keys(config({}))).toEqual(['global', 'rule_files', 'scrape_configs']);
});

test('the control plane and Viz are scraped in their namespaces', () => {
  const { scrape_configs: jobs } = parse(text({}, 'metrics'), { version: '1.1' }) as Config;
  expect(jobs[2]).toMatchObject({ kubernetes_sd_configs: [{ namespaces: { names: ['linkerd', 'metrics'] } }] });
});

test('it has no comments, those of others least of all', () => {
  expect(text({})).not.toMatch(/(?:^|\s)#/);
});

test('text of several lines stays one text', () => {
  expect(config({ remoteWrite: [{ headers: { 'X-Note': 'a\n\n b\n' } }] }).remote_write).toEqual([
    { headers: { 'X-Note': 'a\n\n b\n' } },
  ]);
});
