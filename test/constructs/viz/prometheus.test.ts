import { Duration, Size } from 'cdk8s';
import { checkPrometheus, Prometheus, prometheusValues } from '#lib/constructs/viz/prometheus';

describe('prometheusValues', () => {
  test('replaces the embedded Prometheus by an external one', () => {
    expect(prometheusValues(Prometheus.fromUrl({ url: 'http://p:9090', credentialsSecret: 'prom' }))).toEqual({
      prometheus: { enabled: false },
      prometheusUrl: 'http://p:9090',
      prometheusCredsSecret: 'prom',
    });
  });

  test('keeps the defaults of the chart for the embedded Prometheus', () => {
    expect(prometheusValues(Prometheus.embedded())).toEqual({ prometheus: { enabled: true } });
  });

  test('sets all options of the embedded Prometheus', () => {
    const prometheus = Prometheus.embedded({
      retention: Duration.days(2),
      resources: { cpu: { request: '1' } },
      persistence: { size: Size.gibibytes(10), storageClass: 'longhorn' },
    });
    expect(prometheusValues(prometheus)).toEqual({
      prometheus: {
        enabled: true,
        args: { 'storage.tsdb.retention.time': '48h' },
        resources: { cpu: { request: '1' } },
        persistence: { size: '10Gi', accessMode: 'ReadWriteOnce', storageClass: 'longhorn' },
      },
    });
  });
});

describe('checkPrometheus', () => {
  const what = (prometheus: Prometheus) => checkPrometheus(prometheus).map((problem) => problem.what);

  test('accepts valid options', () => {
    const reader = { namespace: 'grafana', name: 'grafana' };
    expect(what(Prometheus.embedded({ retention: Duration.hours(6), readers: [reader] }))).toEqual([]);
    expect(what(Prometheus.fromUrl({ url: 'http://p', credentialsSecret: 'prom', scraper: reader }))).toEqual([]);
  });

  test('refuses a retention of zero, which Prometheus replaces by its default', () => {
    expect(checkPrometheus(Prometheus.embedded({ retention: Duration.hours(0) }))).toMatchObject([
      { code: 'viz-value-refused', parameters: { milliseconds: 0 } },
    ]);
  });

  test('reports a retention beyond the range of Go, and does not throw', () => {
    const prometheus = Prometheus.embedded({ retention: Duration.days(200_000) });
    expect(what(prometheus)).toEqual([expect.stringContaining('prometheus.retention is')]);
    expect(() => prometheusValues(prometheus)).not.toThrow();
  });

  test('checks names and quantities', () => {
    expect(
      what(
        Prometheus.embedded({
          resources: { memory: { limit: '1 GB' } },
          persistence: { size: Size.gibibytes(1), storageClass: 'Fast' },
          readers: [{ namespace: 'Grafana', name: 'a b' }],
        }),
      ),
    ).toEqual([
      expect.stringContaining('prometheus.resources.memory.limit'),
      expect.stringContaining('prometheus.persistence.storageClass'),
      expect.stringContaining('prometheus.readers[0].namespace'),
      expect.stringContaining('prometheus.readers[0].name'),
    ]);
    expect(
      what(Prometheus.fromUrl({ url: 'http://p', credentialsSecret: 'Prom', scraper: { namespace: 'a.b', name: '' } })),
    ).toEqual([
      expect.stringContaining('prometheus.credentialsSecret'),
      expect.stringContaining('prometheus.scraper.namespace'),
      expect.stringContaining('prometheus.scraper.name'),
    ]);
  });
});
