import { Grafana } from '#lib/constructs/viz/grafana';
import { DashboardIngress } from '#lib/constructs/viz/ingress';
import { Prometheus } from '#lib/constructs/viz/prometheus';
import { Viz } from '#lib/constructs/viz/viz';
import { declarationsOf } from '#lib/gitops/tree/references';
import { findingsAt, ruleFactsIn, ruleFindingsIn } from '../../support/findings';
import { cluster, controlPlane, objectsIn, problemsOf, valuesOf } from './mesh-fixture';

const host = 'linkerd.example.com';
const external = Prometheus.fromUrl({
  url: 'http://kube-prometheus-stack-prometheus.monitoring.svc.cluster.local:9090',
});

type Props = Partial<ConstructorParameters<typeof Viz<'edge-26.8.3'>>[2]>;

/** A Viz with delivery helm. Default: an external Prometheus. */
function vizWith(props: Props = {}, of: Parameters<typeof controlPlane>[2] = {}, home = cluster()) {
  const linkerd = controlPlane(home, 'edge-26.8.3', of);
  return new Viz(home, 'viz', { delivery: 'helm', controlPlane: linkerd, prometheus: external, ...props });
}

const chartValues = (...of: Parameters<typeof vizWith>) => valuesOf(vizWith(...of), 'linkerd-viz');

test('Viz of the Raspberry Pi guide has one warning, about the retired ingress-nginx', () => {
  const viz = vizWith({
    grafana: Grafana.fromService({ url: 'kube-prometheus-stack-grafana.monitoring.svc.cluster.local' }),
    ingress: DashboardIngress.nginx({
      host,
      basicAuthSecret: { namespace: 'nginx', name: 'basic-auth-secret' },
      tls: { clusterIssuer: 'ca-issuer' },
    }),
  });
  expect(problemsOf(viz)).toEqual([]);
  expect(findingsAt(viz).map(({ code }) => code)).toEqual(['ingress-nginx-retired']);
});

describe('high availability', () => {
  test('of Viz follows the control plane', () => {
    const viz = vizWith({}, { highAvailability: true });
    expect(valuesOf(viz, 'linkerd-viz')).toMatchObject({
      enablePodAntiAffinity: true,
      enablePodDisruptionBudget: true,
      tap: { replicas: 3, externalSecret: true },
    });
    expect(problemsOf(viz)).toEqual([]);
  });

  test('of Viz may be set by its props, and values of the user override it', () => {
    const home = cluster();
    const viz = new Viz(home, 'viz', {
      delivery: 'helm',
      controlPlane: controlPlane(home, 'stable-2.14.10'),
      prometheus: Prometheus.embedded({ resources: { memory: { limit: '2Gi' } } }),
      highAvailability: true,
      values: { tap: { replicas: 2 } },
    });
    expect(valuesOf(viz, 'linkerd-viz')).toMatchObject({
      tap: { replicas: 2 },
      prometheus: { resources: { cpu: { request: '300m' }, memory: { request: '300Mi', limit: '2Gi' } } },
    });
    expect(problemsOf(viz)).toEqual([]);
  });

  test('of a mesh may exclude Viz', () => {
    const values = chartValues({ highAvailability: false }, { highAvailability: true });
    expect(values.enablePodAntiAffinity).toBeUndefined();
  });
});

describe('the domain of a Cluster', () => {
  test('is in every address of Viz', () => {
    const home = cluster('k8s.example');
    const ingress = DashboardIngress.nginx({ host, basicAuthSecret: { name: 'auth' } });
    expect(chartValues({ ingress }, {}, home).clusterDomain).toBe('k8s.example');
    expect(
      objectsIn(home, 'linkerd-viz')['Ingress/linkerd-viz-ingress']?.metadata.annotations?.[
        'nginx.ingress.kubernetes.io/upstream-vhost'
      ],
    ).toBe('$service_name.$namespace.svc.k8s.example:8084');
  });
});

describe('the enforced host of the dashboard', () => {
  const traefik = DashboardIngress.traefik({ host, basicAuthSecret: 'auth' });
  const gateway = DashboardIngress.gateway({
    host,
    gateway: { namespace: 'gateways', name: 'internal' },
    authentication: 'gateway',
  });

  test('is the host of an ingress that does not rewrite it', () => {
    expect(chartValues({ ingress: traefik })).toMatchObject({
      dashboard: { enforcedHostRegexp: expect.stringContaining('|linkerd\\.example\\.com)(:\\d+)?$') },
    });
  });

  test('is the default of the chart behind an ingress that rewrites the host', () => {
    const ingress = DashboardIngress.nginx({ host, basicAuthSecret: { name: 'auth' } });
    expect(chartValues({ ingress }).dashboard).toBeUndefined();
  });

  test('must match the host that the ingress sends', () => {
    for (const ingress of [traefik, gateway]) {
      expect(ruleFindingsIn(vizWith({ ingress, enforcedHostRegexp: '^other$' }))).toMatchObject([
        { code: 'host-regexp-refused', parameters: { host } },
      ]);
    }
    const nginx = DashboardIngress.nginx({ host, basicAuthSecret: { name: 'auth' } });
    expect(ruleFindingsIn(vizWith({ ingress: nginx, enforcedHostRegexp: `^${host}$` }))).toMatchObject([
      { code: 'host-regexp-refused', parameters: { host: 'web.linkerd-viz.svc.cluster.local:8084' } },
    ]);
  });

  test('causes a warning if values make it too broad', () => {
    expect(findingsAt(vizWith({ values: { dashboard: { enforcedHostRegexp: '.*' } } }))).toHaveLength(1);
  });

  test('may not be set by values in addition to an ingress', () => {
    const viz = vizWith({ ingress: traefik, values: { dashboard: { enforcedHostRegexp: '.*' } } });
    expect(ruleFactsIn(viz)).toMatchObject([
      { finding: 'value-contradicts-prop', path: 'dashboard.enforcedHostRegexp', value: '".*"' },
    ]);
  });
});

describe('synth refuses', () => {
  const problems = (props: Props) => ruleFindingsIn(vizWith(props));

  test('values that disable the embedded Prometheus', () => {
    expect(problems({ prometheus: Prometheus.embedded(), values: { prometheus: { enabled: false } } })).toMatchObject([
      { code: 'value-contradicts-prop', parameters: { path: 'prometheus.enabled', value: 'false' } },
    ]);
  });

  test('an external Grafana in values together with an internal Grafana', () => {
    expect(
      problems({
        grafana: Grafana.fromService({ url: 'grafana.grafana' }),
        values: { grafana: { externalUrl: 'https://g.example' } },
      }),
    ).toMatchObject([
      { code: 'grafana-ambiguous', parameters: { url: 'grafana.grafana', externalUrl: 'https://g.example' } },
    ]);
  });
});

test('Viz requires the certificates and credentials that its pods mount', () => {
  const prometheus = Prometheus.fromUrl({ url: 'http://p', credentialsSecret: 'prom' });
  const viz = vizWith({ prometheus, values: { imagePullSecrets: [{ name: 'pull' }] } });
  const [declared] = declarationsOf(viz.node.findChild('chart'));
  expect(declared?.requires?.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
    ...['Certificate/tap', 'Secret/tap-k8s-tls', 'Certificate/tap-injector', 'Secret/tap-injector-k8s-tls'],
    ...['Secret/prom', 'Secret/pull'],
  ]);
  expect(declared?.provides).toContainEqual({ kind: 'Service', namespace: 'linkerd-viz', name: 'web' });
});

test('the embedded Prometheus admits declared readers', () => {
  const home = cluster();
  vizWith({ prometheus: Prometheus.embedded({ readers: [{ namespace: 'grafana', name: 'grafana' }] }) }, {}, home);
  expect(Object.keys(objectsIn(home, 'linkerd-viz'))).toContain('AuthorizationPolicy/prometheus-readers');
});

test('Viz warns of a dashboard without a login', () => {
  const viz = vizWith({ ingress: DashboardIngress.traefik({ host }) });
  expect(findingsAt(viz)).toMatchObject([{ code: 'dashboard-open' }]);
});

test('later values reach the chart of Viz', () => {
  const home = cluster();
  const viz = vizWith({}, {}, home);
  viz.addValues({ jaegerUrl: 'tempo.tracing:16686' }, home);
  expect(valuesOf(viz, 'linkerd-viz').jaegerUrl).toBe('tempo.tracing:16686');
});
