import { parse } from 'yaml';
import type { Deployment, MutatingWebhookConfiguration, Service } from '../../../../imports/kubernetes';
import type { Values } from '../../../../lib/kubernetes/values';
import type { VizTemplates } from '../../../../lib/linkerd/releases/groups/viz';
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
  expect(filters('linkerd-controller', { scrapedPorts: 'admin-http' })).toEqual(['keep admin-http']);
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

test('mirrorJob: the multi-cluster extension by another name', () => {
  const mirrorJob = { name: 'linkerd-service-mirror', components: 'linkerd-service-mirror' };
  expect(filters('linkerd-service-mirror', { mirrorJob, scrapedPorts: 'admin-http' })).toEqual([
    'keep linkerd-service-mirror;admin-http$',
  ]);
});

const WORKLOADS = ['metrics-api', 'prometheus', 'tap', 'tap-injector', 'web'];

/** The Deployments by templates that differ in some features from those of the newest release. */
function podsOf(templates: Partial<VizTemplates>, values: Values = {}) {
  const objects = render(values, { ...NEWEST, ...templates });
  return WORKLOADS.map((name) => {
    const spec = (find(objects, 'Deployment', name) as Deployment | undefined)?.spec?.template.spec;
    if (spec === undefined) throw new Error(`no Deployment ${name}`);
    return spec;
  });
}

test.each(['admin', 'admin-http'] as const)('adminPort: %s of pods, Services and Servers', (adminPort) => {
  for (const { containers } of podsOf({ adminPort })) {
    expect(containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))).toContain(adminPort);
  }
  const objects = render({}, { ...NEWEST, adminPort });
  for (const name of ['prometheus', 'web']) {
    const { spec } = find(objects, 'Service', name) as unknown as Service;
    expect(spec?.ports?.map((port) => port.name)).toContain(adminPort);
  }
  expect(find(objects, 'Server', 'prometheus-admin')?.spec).toMatchObject({ port: adminPort });
});

test('serverVersion: of all Servers', () => {
  const serverVersion = 'policy.linkerd.io/v1beta1';
  const servers = render({}, { ...NEWEST, serverVersion }).filter(({ kind }) => kind === 'Server');
  expect(servers).toHaveLength(4);
  expect(new Set(servers.map(({ apiVersion }) => apiVersion))).toEqual(new Set([serverVersion]));
});

test('apiAccess: by containers, or by Kubernetes', () => {
  for (const pod of podsOf({ apiAccess: 'volume' })) {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.volumes?.map(({ name }) => name)).toContain('kube-api-access');
  }
  for (const pod of podsOf({ apiAccess: 'automount' })) {
    expect(pod.automountServiceAccountToken).toBeUndefined();
    expect(JSON.stringify(pod)).not.toContain('kube-api-access');
    expect(pod.volumes).not.toEqual([]);
  }
});

test('spreadsDashboard: its replicas are kept apart like those of others', () => {
  const affinities = (spreadsDashboard: boolean) =>
    podsOf({ spreadsDashboard }, { enablePodAntiAffinity: true }).map(({ affinity }) => affinity !== undefined);
  expect(affinities(true)).toEqual([true, false, true, true, true]);
  expect(affinities(false)).toEqual([true, false, true, true, false]);
});

test('tappedScope: of the objects that the tap injector is asked about', () => {
  const scope = (tappedScope: VizTemplates['tappedScope']) => {
    const objects = render({}, { ...NEWEST, tappedScope });
    const configuration = find(objects, 'MutatingWebhookConfiguration', 'linkerd-tap-injector-webhook-config');
    return (configuration as unknown as MutatingWebhookConfiguration).webhooks?.[0]?.rules?.[0]?.scope;
  };
  expect(scope('Namespaced')).toBe('Namespaced');
  expect(scope(undefined)).toBeUndefined();
});

test('builtInSettings: values that say otherwise change nothing', () => {
  const builtInSettings: Values = { createNamespaceMetadataJob: true, revisionHistoryLimit: null };
  const values = { createNamespaceMetadataJob: false, revisionHistoryLimit: 3 };
  const objects = render(values, { ...NEWEST, builtInSettings });
  expect(find(objects, 'Job', 'namespace-metadata')).toBeDefined();
  expect((find(objects, 'Deployment', 'web') as Deployment).spec?.revisionHistoryLimit).toBeUndefined();
  expect((find(render(values), 'Deployment', 'web') as Deployment).spec?.revisionHistoryLimit).toBe(3);
});
