import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'cdk8s';
import { parse } from 'yaml';
import type { AlertRule } from '#kubernetes/monitoring';
import { LinkerdMesh, type LinkerdMeshProps, MeshAlerts, type MeshAlertsProps, Platform } from '#lib';
import { MESH_ALERTS } from '#lib/constructs/monitoring/watched-mesh';
import { synthesize } from '#lib/testing';
import { checkRules } from '../../support/promtool';
import { fleet } from '../multicluster/fleet';
import { rulesOf } from './watched';

const monitoring = { namespace: 'monitoring', labels: { release: 'kps' } };

interface Rule {
  readonly metadata: object;
  readonly spec: { readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[] };
}

/** Synthesizes a mesh, and its alerts where `alerts` is set. */
function mesh(props: LinkerdMeshProps, alerts?: Partial<MeshAlertsProps>) {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
  platform.addCluster('home', {}, (home) => {
    const { controlPlane, operator } = new LinkerdMesh(home, 'mesh', {
      crds: { gatewayApi: 'install' },
      viz: false,
      ...props,
    });
    if (alerts !== undefined) {
      new MeshAlerts(home, 'alerts', { controlPlane, operator, namespace: 'monitoring', ...alerts });
    }
  });
  const home = synthesize(platform).cluster('home');
  const findings = home.findings();
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  const [rule] = (hasErrors
    ? []
    : home.findResources('PrometheusRule', { metadata: { name: 'linkerd-mesh' } })) as unknown as readonly Rule[];
  return {
    home,
    rule,
    groups: rule?.spec.groups ?? [],
    rules: (rule?.spec.groups ?? []).flatMap(({ rules }) => rules),
    codes: findings.map(({ problem }) => problem.code),
  };
}

test('LinkerdMesh creates alerts and dashboards next to the monitors, with the labels of alerts', () => {
  const { rule, groups, home, codes } = mesh({ monitoring, operator: {}, alerts: {}, dashboards: true });
  expect(rule?.metadata).toMatchObject({ name: 'linkerd-mesh', namespace: 'monitoring', labels: { release: 'kps' } });
  expect(groups.map(({ name }) => name)).toEqual([
    'linkerd-injector',
    'linkerd-identity',
    'linkerd-control-plane',
    'linkerd-proxies',
    'linkerd-policy',
    'linkerd-operator',
  ]);
  expect(codes).not.toContain('alert-metrics-missing');
  const dashboards = home.objects.filter(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata?.namespace === 'monitoring',
  );
  expect(dashboards.map(({ metadata }) => metadata?.name)).toEqual([
    'linkerd-certificates-dashboard',
    'linkerd-mesh-dashboard',
    'linkerd-operator-dashboard',
  ]);
});

test('LinkerdMesh creates alerts and dashboards only on demand, and requires the prop monitoring', () => {
  expect(mesh({ monitoring }).rule).toBeUndefined();
  expect(mesh({ alerts: {} }).codes).toContain('monitoring-missing');
  expect(mesh({ dashboards: true }).codes).toContain('monitoring-missing');
});

test('LinkerdMesh creates no alerts on an operator, gateways or mirrors that it lacks', () => {
  const names = mesh({ monitoring }, {}).rules.map(({ alert }) => alert);
  expect(names.filter((name) => name.includes('Operator'))).toEqual([]);
  expect(names.filter((name) => name.includes('Gateway') || name.includes('Mirror'))).toEqual([]);
});

test('LinkerdMesh creates no alerts on webhooks of an operator without webhooks', () => {
  const names = mesh({ monitoring, operator: { webhooks: false } }, {}).rules.map(({ alert }) => alert);
  expect(names.filter((name) => name.includes('Operator'))).toEqual([
    'LinkerdOperatorWithoutLeader',
    'LinkerdOperatorReconcileErrors',
  ]);
});

test('each link has an alert on its service mirror, and each gateway an alert', () => {
  const clusters = fleet({
    east: {
      multicluster: { gateway: false },
      links: { west: {} },
      further: (cluster, multicluster) => {
        if (multicluster === undefined) throw new Error('no multicluster');
        const { controlPlane } = multicluster;
        new MeshAlerts(cluster, 'alerts', { controlPlane, multicluster, namespace: 'monitoring' });
      },
    },
    west: {},
  });
  expect(clusters.errors('east')).toEqual([]);
  const rule = parse(clusters.files('east').get('monitoring/prometheusrule.linkerd-mesh.yaml') ?? '') as Rule;
  const rules = rule.spec.groups.find(({ name }) => name === 'linkerd-multicluster')?.rules ?? [];
  expect(rules.map(({ alert, labels }) => [alert, labels.target_cluster_name])).toEqual([
    ['LinkerdTargetGatewayDown', undefined],
    ['LinkerdServiceMirrorDown', 'west'],
  ]);
});

test('LinkerdMesh warns of alerts on metrics that Prometheus does not scrape', () => {
  expect(
    mesh({ operator: {} }, {})
      .home.findings()
      .map(({ problem }) => problem),
  ).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'alert-metrics-missing', cause: 'control-plane' }),
      expect.objectContaining({ code: 'alert-metrics-missing', cause: 'operator' }),
    ]),
  );
  expect(mesh({ monitoring, operator: {} }, {}).codes).not.toContain('alert-metrics-missing');
});

test('LinkerdMesh omits alerts on metrics that Prometheus does not have', () => {
  const names = (metrics: MeshAlertsProps['metrics']) =>
    new Set(mesh({ monitoring }, { metrics }).rules.map(({ expr }) => expr.match(/apiserver_|kube_/)?.[0]));
  expect([...names({})]).toEqual(expect.arrayContaining(['apiserver_', 'kube_']));
  expect(names({ apiServer: false })).not.toContain('apiserver_');
  expect(names({ kubeStateMetrics: false })).not.toContain('kube_');
  expect(names({ kubeStateMetrics: false })).toContain('apiserver_');
});

test('the user changes severities of alerts, and omits alerts, by name', () => {
  const severity = { LinkerdProxyOutdated: 'info', LinkerdDenialsHigh: false, LinkerdDenialsIncreased: false } as const;
  const { rules, groups } = mesh({ monitoring }, { severity });
  expect(rules.find(({ alert }) => alert === 'LinkerdProxyOutdated')?.labels.severity).toBe('info');
  // The Prometheus operator refuses an empty group.
  expect(groups.map(({ name }) => name)).not.toContain('linkerd-policy');
});

test.each([
  [{ LinkerdNothing: false }, 'alert-unknown'],
  [{ LinkerdProxyOutdated: '' }, 'alert-severity-refused'],
  [{ LinkerdProxyOutdated: 1 }, 'alert-severity-refused'],
  [{ LinkerdProxyOutdated: true }, 'alert-severity-refused'],
])('LinkerdMesh refuses the severity %j of an alert', (severity, code) => {
  expect(mesh({ monitoring }, { severity: severity as MeshAlertsProps['severity'] }).codes).toContain(code);
});

test('expressions of alerts contain the thresholds of the user', () => {
  const { rules, codes } = mesh(
    { monitoring, operator: {} },
    {
      thresholds: {
        webhookLatency: Duration.millis(2500),
        certificateRemaining: Duration.hours(2),
        outdatedFor: Duration.days(30),
        denialsGrowth: 3,
        denialsBefore: Duration.days(1),
        denialsRate: 0.5,
        denialsShare: 0.25,
        identityErrors: 0.2,
        reconcileErrors: 0.3,
        webhookErrors: 0.4,
      },
    },
  );
  const of = (name: string) => rules.find(({ alert }) => alert === name);
  expect(codes).not.toContain('alert-threshold-refused');
  expect(of('LinkerdWebhookSlow')?.expr).toMatch(/ > 2\.5$/);
  expect(of('LinkerdOperatorWebhookSlow')?.expr).toMatch(/ > 2\.5$/);
  expect(of('LinkerdProxyCertificateExpiring')?.expr).toContain('< 7200)');
  expect(of('LinkerdProxyOutdated')?.for).toBe('2592000s');
  expect(of('LinkerdDenialsIncreased')?.expr).toContain('> 0.5 unless');
  expect(of('LinkerdDenialsIncreased')?.expr).toContain('<= 3 *');
  expect(of('LinkerdDenialsIncreased')?.expr).toContain('offset 86400s');
  expect(of('LinkerdDenialsHigh')?.expr).toContain('> 0.25 and');
  expect(of('LinkerdIdentityErrors')?.expr).toMatch(/ > 0\.2$/);
  expect(of('LinkerdOperatorReconcileErrors')?.expr).toMatch(/ > 0\.3$/);
  expect(of('LinkerdOperatorWebhookErrors')?.expr).toMatch(/ > 0\.4$/);
});

test('by default, thresholds follow the certificates of the mesh', () => {
  const { rules } = mesh({ monitoring, pki: { issuanceLifetime: Duration.hours(10) } }, {});
  const of = (name: string) => rules.find(({ alert }) => alert === name)?.expr;
  // 5400 s: 15 % of ten hours. 63010 s: the mean of 25 h and 10 h 20 s.
  expect(of('LinkerdProxyCertificateExpiring')).toContain('< 5400)');
  expect(of('LinkerdIdentityIssuerNotReloaded')).toContain('< 63010 ');
});

test('synth reports thresholds with which an alert always fires, and thresholds of a wrong type', () => {
  const thresholds = { denialsShare: 2, outdatedFor: '7d' as unknown as Duration };
  expect(mesh({ monitoring }, { thresholds }).codes).toEqual(
    expect.arrayContaining(['alert-threshold-refused', 'wrong-type']),
  );
});

test('each alert names its section in the package or on the published site', () => {
  const runbooks = 'https://docs.example.com/docs/alerts.html';
  const published = mesh({ monitoring, operator: {}, alerts: { runbooks } });
  const all = published.home.objects.filter(({ kind }) => kind === 'PrometheusRule') as unknown as readonly Rule[];
  expect(all).toHaveLength(2);
  for (const { alert, annotations } of all.flatMap(({ spec }) => spec.groups).flatMap(({ rules }) => rules)) {
    expect(annotations.runbook_url).toBe(`${runbooks}#${alert.toLowerCase()}`);
    expect(annotations.runbook).toBeUndefined();
  }
  for (const { alert, annotations } of mesh({ monitoring }, {}).rules) {
    expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
  }
  expect(mesh({ monitoring }, { runbooks: 'docs' }).codes).toContain('url-refused');
});

test('alerts have a severity, a summary and a description, and are in the catalogue', () => {
  const rules = rulesOf();
  expect([...new Set(rules.map(({ alert }) => alert))].sort()).toEqual([...MESH_ALERTS].sort());
  for (const { labels, annotations, ...rule } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(Object.keys(annotations)).toEqual(['summary', 'description']);
    expect(rule.for).toMatch(/^\d+[ms]$/);
  }
});

test('Prometheus accepts all rules of a mesh, including the rules on certificates', () => {
  const { home } = mesh({ monitoring, operator: {}, alerts: {} });
  const groups = (home.objects.filter(({ kind }) => kind === 'PrometheusRule') as unknown as readonly Rule[]).flatMap(
    ({ spec }) => spec.groups,
  );
  expect(groups.length).toBeGreaterThan(6);
  expect(checkRules(groups)).toBe('');
});

test('Prometheus accepts all rules of dist/, each of which names its section', () => {
  const dist = join(__dirname, '../../../dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('prometheusrule.'),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const { spec } = parse(readFileSync(join(dist, file), 'utf8')) as Rule;
    expect([file, checkRules(spec.groups)]).toEqual([file, '']);
    for (const { alert, annotations } of spec.groups.flatMap(({ rules }) => rules)) {
      expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
    }
  }
});
