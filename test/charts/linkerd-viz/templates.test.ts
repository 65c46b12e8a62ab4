import { parse } from 'yaml';
import type { VizTemplates } from '../../../lib/releases/linkerd/viz';
import { find, NEWEST, render } from './fixture';

interface Job {
  readonly job_name: string;
  readonly relabel_configs?: readonly { readonly action?: string; readonly regex?: string }[];
}

/** The rules by which a job finds its targets. */
function filters(job: string, templates: Partial<VizTemplates>): readonly string[] {
  const config = find(render({}, { ...NEWEST, ...templates }), 'ConfigMap', 'prometheus-config') as unknown as {
    data: Record<string, string>;
  };
  const { scrape_configs } = parse(config.data['prometheus.yml'] ?? '') as { scrape_configs: readonly Job[] };
  const rules = scrape_configs.find(({ job_name }) => job_name === job)?.relabel_configs ?? [];
  return rules
    .filter(({ action }) => action === 'keep' || action === 'drop')
    .map(({ action, regex }) => `${action} ${regex}`);
}

test('scrapedPorts: one name for all components, or names that end alike', () => {
  expect(filters('linkerd-controller', { scrapedPorts: 'admin' })).toEqual(['keep admin']);
  expect(filters('linkerd-controller', { scrapedPorts: '.*admin$' })).toEqual(['keep .*admin$', 'drop linkerd-admin']);
  const mirrors = 'keep (linkerd-service-mirror|controller);';
  expect(filters('linkerd-multicluster-controller', { scrapedPorts: 'admin' })).toEqual([`${mirrors}admin$`]);
  expect(filters('linkerd-multicluster-controller', { scrapedPorts: '.*admin$' })).toEqual([
    `${mirrors}.*-admin$`,
    'drop linkerd-admin',
  ]);
});

test('scrapesLivingPods: proxies of pods that are done are left out', () => {
  const proxies = 'keep ^linkerd-proxy;linkerd-admin;linkerd$';
  expect(filters('linkerd-proxy', { scrapesLivingPods: true })).toEqual(['keep (Pending|Running)', proxies]);
  expect(filters('linkerd-proxy', { scrapesLivingPods: false })).toEqual([proxies]);
});
