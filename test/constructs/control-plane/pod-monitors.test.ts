import { Chart, Duration, Testing } from 'cdk8s';
import { PodMonitors, type PodMonitorsProps } from '#lib/constructs/control-plane/pod-monitors';
import { declarationsOf } from '#lib/gitops/tree/references';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { emitted } from '../../support/control-plane-fixture';
import { ruleFactsIn } from '../../support/findings';

function podMonitors(props: Partial<PodMonitorsProps>) {
  return new PodMonitors(Testing.chart(), 'monitors', {
    release: releaseOf('edge-26.8.3'),
    controlPlaneNamespace: 'linkerd',
    namespace: 'monitoring',
    ...props,
  });
}

const monitors = (props: Partial<PodMonitorsProps> = {}) => emitted(Chart.of(podMonitors(props)), 'PodMonitor');

/** Returns the keep and drop rules of a PodMonitor, which select its targets. */
function filters(monitor: { readonly spec: Record<string, unknown> } | undefined) {
  const [endpoint] = (monitor?.spec.podMetricsEndpoints ?? []) as { relabelings: Record<string, unknown>[] }[];
  return endpoint?.relabelings.filter(({ action }) => action === 'keep' || action === 'drop');
}

test('PodMonitors select the control plane in its namespaces, and proxies in all namespaces', () => {
  const all = monitors({ controlPlaneNamespace: 'mesh', vizNamespace: 'mesh-viz' });
  expect(all['linkerd-controller']?.spec).toMatchObject({
    namespaceSelector: { matchNames: ['mesh-viz', 'mesh'] },
    selector: { matchLabels: {} },
  });
  for (const name of ['linkerd-service-mirror', 'linkerd-proxy']) {
    expect(all[name]?.spec).toMatchObject({ namespaceSelector: { any: true }, selector: { matchLabels: {} } });
  }
});

test('PodMonitors scrape Linkerd 2.14 as its guide does', () => {
  expect(monitors({ release: releaseOf('stable-2.14.10') })['linkerd-controller']?.spec.podMetricsEndpoints).toEqual([
    {
      relabelings: [
        { sourceLabels: ['__meta_kubernetes_pod_container_port_name'], action: 'keep', regex: 'admin-http' },
        { sourceLabels: ['__meta_kubernetes_pod_container_name'], action: 'replace', targetLabel: 'component' },
        { sourceLabels: ['__address__'], action: 'replace', targetLabel: 'job', replacement: 'linkerd-controller' },
      ],
    },
  ]);
});

/** Release, label `linkerd.io/extension` and port of pods; true for service mirrors (linkerd2, multicluster/charts). */
const MIRRORS: [LinkerdVersion, string, string, boolean][] = [
  ['edge-26.8.3', 'multicluster', 'ctrl-admin', true],
  ['edge-26.8.3', 'multicluster', 'locsm-admin', true],
  ['edge-26.8.3', 'multicluster', 'svcmi-admin', true],
  ['edge-26.8.3', 'multicluster', 'linkerd-admin', false],
  ['edge-26.8.3', 'viz', 'admin', false],
  ['edge-26.8.3', '', 'web-admin', false],
  ['stable-2.14.10', 'multicluster', 'admin-http', true],
  ['stable-2.14.10', 'multicluster', 'linkerd-admin', false],
  ['stable-2.14.10', '', 'admin-http', false],
];

test.each(MIRRORS)(
  'whether PodMonitors of %s treat pods of the extension "%s" with a port %s as service mirrors: %s',
  (version, ...pod) => {
    const [extension, port, isMirror] = pod;
    const labels: Record<string, string> = {
      __meta_kubernetes_pod_label_linkerd_io_extension: extension,
      __meta_kubernetes_pod_container_port_name: port,
    };
    const rules = filters(monitors({ release: releaseOf(version) })['linkerd-service-mirror']) ?? [];
    const isKept = rules.every(({ sourceLabels, action, regex }) => {
      const text = (sourceLabels as string[]).map((label) => labels[label] ?? '').join(';');
      return new RegExp(`^(?:${regex})$`).test(text) === (action === 'keep');
    });
    expect(rules.length).toBeGreaterThan(0);
    expect(isKept).toBe(isMirror);
  },
);

test('PodMonitors use the names of ports in later releases', () => {
  const [keep, drop] = filters(monitors()['linkerd-controller']) ?? [];
  const scraped = ['dest-admin', 'policy-admin', 'spval-admin', 'ident-admin', 'injector-admin', 'admin'];
  const others = ['dest-grpc', 'linkerd-proxy', 'linkerd-admin'];
  const isScraped = (port: string) =>
    new RegExp(`^(?:${keep?.regex})$`).test(port) && !new RegExp(`^(?:${drop?.regex})$`).test(port);
  expect([...scraped, ...others].filter(isScraped)).toEqual(scraped);
});

test('PodMonitors select the proxies of their own control plane', () => {
  expect(JSON.stringify(monitors({ controlPlaneNamespace: 'mesh' })['linkerd-proxy'])).toContain(
    '"^linkerd-proxy;linkerd-admin;mesh$"',
  );
});

test('PodMonitors have the interval that their prop sets', () => {
  const all = monitors({ interval: Duration.seconds(10) });
  expect(all['linkerd-proxy']?.spec).toMatchObject({ podMetricsEndpoints: [{ interval: '10s' }] });
});

test.each<[string, string, Partial<PodMonitorsProps>]>([
  ['monitoring.interval', 'duration-refused/scrape-interval', { interval: Duration.seconds(0) }],
  ['monitoring.interval', 'duration-refused/go', { interval: Duration.millis(0.5) }],
  ['monitoring.namespace', 'name-invalid', { namespace: 'Monitoring' }],
  ['monitoring.vizNamespace', 'name-invalid', { vizNamespace: 'viz.linkerd' }],
  ['monitoring.labels', 'name-invalid', { labels: { 'a b': 'x' } }],
  ['monitoring.labels["release"]', 'name-invalid', { labels: { release: 'a b' } }],
])('synth refuses a wrong %s of PodMonitors: %s', (_field, finding, props) => {
  expect(ruleFactsIn(podMonitors(props))).toMatchObject([{ finding }]);
});

test('synth accepts an external namespace for PodMonitors', () => {
  expect(declarationsOf(podMonitors({}))).toEqual([{ external: [{ kind: 'Namespace', name: 'monitoring' }] }]);
});
