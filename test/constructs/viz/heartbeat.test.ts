import { App } from 'cdk8s';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { Prometheus } from '#lib/constructs/viz/prometheus';
import { Cluster } from '#lib/gitops/tree/cluster';
import { objectsIn, problemsOf, valuesOf } from './mesh-fixture';

const url = 'http://prometheus.monitoring:9090/prefix';

describe.each(['edge-26.8.3', 'stable-2.14.10'] as const)('the heartbeat of %s, configured by values,', (version) => {
  const made = (props: object) => {
    const home = new Cluster(new App(), 'home');
    const mesh = new LinkerdMesh(home, 'mesh', { version, delivery: 'helm', ...props });
    return { mesh, values: valuesOf(home, 'linkerd-control-plane') };
  };

  test('queries the Prometheus of Viz', () => {
    const { mesh, values } = made({ viz: { prometheus: Prometheus.fromUrl({ url }) } });
    expect(values.prometheusUrl).toBe(url);
    expect(problemsOf(mesh)).toEqual([]);
  });

  test('queries another Prometheus if values name one', () => {
    const own = { values: { prometheusUrl: 'http://thanos.monitoring:9090' } };
    const { mesh, values } = made({ viz: { prometheus: Prometheus.fromUrl({ url }) }, ...own });
    expect(values.prometheusUrl).toBe('http://thanos.monitoring:9090');
    expect(problemsOf(mesh)).toEqual([]);
  });

  test('keeps the default of the chart with the embedded Prometheus, and without Viz', () => {
    expect(made({}).values).not.toHaveProperty('prometheusUrl');
    expect(made({ viz: false }).values).not.toHaveProperty('prometheusUrl');
  });
});

test('the heartbeat as a manifest queries the Prometheus of Viz', () => {
  const home = new Cluster(new App(), 'home');
  new LinkerdMesh(home, 'mesh', { viz: { prometheus: Prometheus.fromUrl({ url }) } });
  expect(JSON.stringify(objectsIn(home, 'linkerd')['CronJob/linkerd-heartbeat'])).toContain(`-prometheus-url=${url}`);
});

test('synth reports an invalid URL of Prometheus once', () => {
  const home = new Cluster(new App(), 'home');
  const mesh = new LinkerdMesh(home, 'mesh', {
    certManager: CertManager.fromExisting(home, 'cert-manager', {}),
    viz: { prometheus: Prometheus.fromUrl({ url: 'prometheus:9090' }) },
  });
  expect(problemsOf(mesh).filter((problem) => problem.includes('prometheusUrl'))).toHaveLength(1);
});
